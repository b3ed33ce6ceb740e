# Says of every file of hookkit plugin @PLUGIN@ @VERSION@ whether it is in place as it was packaged, whose
# it is and who may change it. Exit code 0: all of it is; 1: something is not.
# Usage: powershell -NoProfile -ExecutionPolicy Bypass -File check.ps1 [FOLDER that stands for C:\]
param([string] $Root = 'C:\')
$bad = 0

# SYSTEM, Administrators, TrustedInstaller.
$trusted = 'S-1-5-18', 'S-1-5-32-544', 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464'

# Everyone, Authenticated Users, Users, Interactive: one of them who may write is everybody.
$everybody = 'S-1-1-0', 'S-1-5-11', 'S-1-5-32-545', 'S-1-5-4'

function Get-Sum([string] $File) {
    # Get-FileHash is missing where the module path is that of another PowerShell.
    $sha256 = [System.Security.Cryptography.SHA256]::Create()
    $bytes = $sha256.ComputeHash([System.IO.File]::ReadAllBytes($File))
    ([System.BitConverter]::ToString($bytes) -replace '-', '').ToLowerInvariant()
}

function Get-Faults([string] $Kind, [string] $Sum, [string] $File) {
    if (-not (Test-Path -LiteralPath $File)) { return 'is missing' }
    $item = Get-Item -LiteralPath $File -Force
    if ($item.Attributes -band [System.IO.FileAttributes]::ReparsePoint) { 'is a link' }
    $acl = Get-Acl -LiteralPath $File
    $owner = $acl.GetOwner([System.Security.Principal.SecurityIdentifier]).Value
    if ($trusted -notcontains $owner) { "belongs to $($acl.Owner), not to an administrator" }
    $writing = [System.Security.AccessControl.FileSystemRights]'WriteData, AppendData, Delete, DeleteSubdirectoriesAndFiles, ChangePermissions, TakeOwnership'
    foreach ($rule in $acl.GetAccessRules($true, $true, [System.Security.Principal.SecurityIdentifier])) {
        $may = $rule.AccessControlType -eq 'Allow' -and ($rule.FileSystemRights -band $writing)
        if ($may -and ($everybody -contains $rule.IdentityReference.Value)) { "$($rule.IdentityReference.Value) may change it" }
    }
    if ($Kind -ne 'folder' -and (Get-Sum $File) -ne $Sum) { 'is not what was packaged' }
}

$files = @'
@FILES@
'@

foreach ($line in ($files -split '\r?\n')) {
    if (-not $line) { continue }
    $kind, $sum, $path = $line -split ' ', 3
    $file = Join-Path $Root ($path -replace '/', '\')
    $faults = @(Get-Faults $kind $sum $file)
    $owner = '-'
    if (Test-Path -LiteralPath $file) { $owner = (Get-Acl -LiteralPath $file).Owner }
    if ($faults.Count -eq 0) {
        Write-Output "ok     $owner $file"
    } else {
        Write-Output "FAULT  $owner ${file}: $($faults -join '; ')"
        $bad = 1
    }
}

# Codex reads one file for everything, which this package does not own.
$codex = Join-Path $Root ('@CODEX@' -replace '^[A-Z]:\\', '')
$told = (Test-Path -LiteralPath $codex) -and (Select-String -LiteralPath $codex -SimpleMatch '@DISPATCHER@' -Quiet)
if ($told) {
    Write-Output "note   Codex is told in $codex"
} else {
    Write-Output "note   Codex is not told: $codex does not name the plugin"
}
exit $bad
