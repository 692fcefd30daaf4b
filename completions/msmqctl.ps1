# PowerShell completion for msmqctl. Dot-source this file in your profile
Register-ArgumentCompleter -Native -CommandName msmqctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or ($_.Extent.EndOffset -eq $cursorPosition -and $wordToComplete -eq '') } |
        ForEach-Object { $_.Extent.Text })
    $env:_MSMQCTL_COMPLETE = "complete:$wordToComplete"
    try {
        & $commandAst.CommandElements[0].Extent.Text @words 2>$null | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            if (-not $help) { $help = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
        }
    } finally {
        Remove-Item Env:_MSMQCTL_COMPLETE
    }
}
