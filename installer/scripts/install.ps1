# Installs hookkit @VERSION@ for you alone, on Windows:
#
#   irm https://github.com/hookkit/hookkit/releases/latest/download/install.ps1 | iex
#
# Gets one archive, checks it against the sha256 that stands below, unpacks it into a folder of its
# own and starts the hookkit.exe in it, which puts itself to use. For Windows PowerShell 5.1 and
# PowerShell 7; plain ASCII, because 5.1 reads anything else by the code page of the machine.
# Everything stands in one function that the last line calls: a copy that was cut off does nothing.
#
# With options:
#   & ([scriptblock]::Create((irm .../install.ps1))) -NoModifyPath
#
#   -Dir DIR           the folder for hookkit itself [default: self in hookkit's data folder]
#   -NoModifyPath      leave your PATH alone
#   -Unmanaged DIR     put both programs into DIR and do nothing else, as for an image
#   -Archive FILE      an archive that you have, for a machine without a network
#   -BaseUrl URL       where releases are
#
# Variables: HOOKKIT_HOME (the data folder), HOOKKIT_BASE_URL, HOOKKIT_UNMANAGED_INSTALL=DIR,
# HOOKKIT_NO_MODIFY_PATH=1, HTTPS_PROXY. Another version has its own script:
# .../releases/download/vVERSION/install.ps1

function Install-Hookkit {
    param(
        [string]$Dir = '',
        [switch]$NoModifyPath,
        [string]$Unmanaged = $env:HOOKKIT_UNMANAGED_INSTALL,
        [string]$Archive = '',
        [string]$BaseUrl = $env:HOOKKIT_BASE_URL
    )

    $version = '@VERSION@'
    $expected = '@SUM_WINDOWS@'
    $ErrorActionPreference = 'Stop'

    # A policy of the machine may forbid most of what follows; nothing was touched before this.
    if ($ExecutionContext.SessionState.LanguageMode -ne 'FullLanguage') {
        throw "hookkit: PowerShell runs in $($ExecutionContext.SessionState.LanguageMode) mode here, by a policy of this machine. Unpack the .zip of the release by hand and put its folder on your PATH."
    }
    if ((Test-Path variable:IsWindows) -and -not $IsWindows) {
        throw 'hookkit: this is for Windows; elsewhere it is installed by install.sh.'
    }
    $machine = $env:PROCESSOR_ARCHITEW6432
    if (-not $machine) {
        $machine = $env:PROCESSOR_ARCHITECTURE
    }
    # Windows on ARM starts programs for x86_64 as well, from Windows 11 on.
    if ($machine -ne 'AMD64' -and $machine -ne 'ARM64') {
        throw "hookkit: there is no hookkit for Windows on $machine, only for 64 bits."
    }
    if ($expected -notmatch '^[0-9a-f]{64}$') {
        throw 'hookkit: this script knows no archive for Windows.'
    }
    if (-not $BaseUrl) {
        $BaseUrl = 'https://github.com/hookkit/hookkit/releases'
    }
    $BaseUrl = $BaseUrl.TrimEnd('/')
    if ($env:HOOKKIT_NO_MODIFY_PATH -eq '1') {
        $NoModifyPath = $true
    }

    if ($Unmanaged) {
        $target = $Unmanaged
    } elseif ($Dir) {
        $target = $Dir
    } elseif ($env:HOOKKIT_HOME) {
        $target = Join-Path $env:HOOKKIT_HOME 'self'
    } else {
        $target = Join-Path $env:LOCALAPPDATA 'hookkit\self'
    }
    $target = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($target)
    # The outermost folder that is not there yet.
    $made = ''
    $folder = $target
    while ($folder -and -not (Test-Path -LiteralPath $folder)) {
        $made = $folder
        $folder = Split-Path -Parent $folder
    }

    $work = Join-Path $target ".new-$PID"
    $name = "hookkit-$version-x86_64-pc-windows-gnu.zip"
    $package = Join-Path $work $name
    $unpacked = Join-Path $work 'unpacked'
    $isDone = $false
    try {
        [void](New-Item -ItemType Directory -Force -Path $unpacked)
        if ($Archive) {
            Copy-Item -LiteralPath $Archive -Destination $package
        } else {
            $address = "$BaseUrl/download/v$version/$name"
            Write-Host "hookkit: getting $name"
            # Windows PowerShell asks for older protocols first, and draws its progress bar byte by byte.
            [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072
            $ProgressPreference = 'SilentlyContinue'
            $options = @{ Uri = $address; OutFile = $package; UseBasicParsing = $true }
            if ($env:HTTPS_PROXY) {
                $options['Proxy'] = $env:HTTPS_PROXY
            }
            try {
                Invoke-WebRequest @options
            } catch {
                throw "hookkit: cannot get ${address}: $($_.Exception.Message)"
            }
        }

        $stream = [IO.File]::OpenRead($package)
        try {
            $hash = [Security.Cryptography.SHA256]::Create().ComputeHash($stream)
        } finally {
            $stream.Dispose()
        }
        $found = ([BitConverter]::ToString($hash) -replace '-', '').ToLowerInvariant()
        if ($found -ne $expected) {
            throw "hookkit: the archive is not the one of hookkit ${version}: its sha256 is $found, not $expected. Nothing of it was used."
        }
        Expand-Archive -LiteralPath $package -DestinationPath $unpacked -Force
        $said = & (Join-Path $unpacked 'hookkit.exe') --version
        if ("$said" -ne "hookkit $version") {
            throw "hookkit: programs do not start in $work ($said); a policy of this machine may forbid it. Name another folder with -Dir."
        }

        if ($Unmanaged) {
            foreach ($program in 'hookkit-dispatch.exe', 'hookkit.exe') {
                Move-Item -Force -LiteralPath (Join-Path $unpacked $program) -Destination (Join-Path $target $program)
            }
            Write-Host "hookkit: hookkit $version is in $target; put that folder on the PATH"
        } else {
            $place = Join-Path (Join-Path $target 'versions') $version
            [void](New-Item -ItemType Directory -Force -Path (Split-Path -Parent $place))
            # One that is there may have been damaged.
            $replaced = Join-Path $work 'replaced'
            if (Test-Path -LiteralPath $place) {
                Move-Item -LiteralPath $place -Destination $replaced
            }
            try {
                Move-Item -LiteralPath $unpacked -Destination $place
            } catch {
                if (Test-Path -LiteralPath $replaced) {
                    Move-Item -LiteralPath $replaced -Destination $place
                }
                throw
            }
            $words = @('self', 'setup', '--base-url', $BaseUrl)
            if ($NoModifyPath) {
                $words += '--no-modify-path'
            }
            if ($made) {
                $words += '--made'
                $words += $made
            }
            & (Join-Path $place 'hookkit.exe') @words
            if ($LASTEXITCODE -ne 0) {
                throw 'hookkit: it was unpacked but not put to use; see above.'
            }
        }
        $isDone = $true
    } finally {
        if (Test-Path -LiteralPath $work) {
            Remove-Item -Recurse -Force -LiteralPath $work
        }
        # All that was made goes again if something failed.
        if (-not $isDone -and $made -and -not (Test-Path -LiteralPath (Join-Path $target 'bin'))) {
            Remove-Item -Recurse -Force -LiteralPath $made
        }
    }
}

if ($true) { Install-Hookkit @args }
