# fish completion for msmqctl. Put this file into ~/.config/fish/completions
function __msmqctl_complete
    set -l words (commandline --cut-at-cursor --tokenize --current-process)
    set -l current (commandline --cut-at-cursor --current-token)
    set -l found (_MSMQCTL_COMPLETE="complete:$current" $words[1] $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete --command msmqctl --no-files --arguments '(__msmqctl_complete)'
