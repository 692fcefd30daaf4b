# bash completion for msmqctl. Source this file, or install it as /usr/share/bash-completion/completions/msmqctl
_msmqctl() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line%%$'\t'*}")
    done < <(_MSMQCTL_COMPLETE="complete:${COMP_WORDS[COMP_CWORD]}" "$1" "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -o default -o bashdefault -F _msmqctl msmqctl
