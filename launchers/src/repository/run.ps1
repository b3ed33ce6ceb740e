# Starts the hookkit dispatcher of a plugin that lies in a repository, for developers on Windows;
# decides nothing itself. The cloud agent runs run.sh beside it.
# `hookkit install --scope project` wrote it. Change the plugin that it was made from, not this file.
#
# All of it stands in one block, so that PowerShell does not run a copy that was cut off.
& {
    # The tree's own dispatcher, if it is the file that SHA256SUMS names.
    function Find-Own {
        $file = Join-Path $PSScriptRoot 'dispatch\hookkit-dispatch.exe'
        $sums = Join-Path $PSScriptRoot 'SHA256SUMS'
        if (-not (Test-Path -LiteralPath $file) -or -not (Test-Path -LiteralPath $sums)) { return }
        # Get-FileHash is missing where the module path is that of another PowerShell.
        $sha256 = [System.Security.Cryptography.SHA256]::Create()
        $bytes = $sha256.ComputeHash([System.IO.File]::ReadAllBytes($file))
        $found = ([System.BitConverter]::ToString($bytes) -replace '-', '').ToLowerInvariant()
        $lines = @(Get-Content -LiteralPath $sums)
        if ($lines -ccontains "$found  dispatch/hookkit-dispatch.exe") { return $file }
    }

    # One that this user has installed; never one that lies in the repository.
    function Find-Installed {
        $repository = Split-Path (Split-Path (Split-Path $PSScriptRoot))
        $inside = $repository.TrimEnd('\') + '\'
        Get-Command hookkit-dispatch.exe -CommandType Application -All -ErrorAction SilentlyContinue |
            Where-Object { -not $_.Path.StartsWith($inside, [System.StringComparison]::OrdinalIgnoreCase) } |
            Select-Object -First 1 -ExpandProperty Path
    }

    $program = $null
    try { $program = Find-Own } catch { [Console]::Error.WriteLine("hookkit: $_") }
    if (-not $program) { $program = Find-Installed }
    if ($program) {
        & $program --plugin-root $PSScriptRoot @args
        exit $LASTEXITCODE
    }
    # The repository is for Linux, as the cloud agent's sandbox is; elsewhere it binds nobody.
    $plugin = Split-Path -Leaf $PSScriptRoot
    [Console]::Error.WriteLine("hookkit: plugin $plugin of this repository is not enforced on this machine: it holds no dispatcher for Windows that fits its SHA256SUMS, and no hookkit-dispatch is installed. Install hookkit to have it.")
    exit 0
} @args
