# fish completion for msmqctl. Put this file into ~/.config/fish/completions
function __msmqctl_knows
    set -l words (commandline --cut-at-cursor --tokenize --current-process)
    set -l current (commandline --cut-at-cursor --current-token)
    set --global __msmqctl_found (_MSMQCTL_COMPLETE="complete:$current" $words[1] $words[2..-1] 2>/dev/null)
    test (count $__msmqctl_found) -gt 0
end
# Where the program knows nothing, fish completes file names.
complete --command msmqctl --no-files --condition __msmqctl_knows --arguments '(printf "%s\n" $__msmqctl_found)'
