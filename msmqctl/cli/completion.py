"""Completion for bash, zsh, fish and PowerShell: one question, one answer, four small scripts that ask it.

The question is a run of the program with the finished words as its arguments and, in the variable _MSMQCTL_COMPLETE,
`complete:` and the word at the cursor, which may be empty (neither an empty argument nor an empty variable survives in
every shell). The answer is one candidate a line, with a tab and its help after it where there is any. No answer means:
complete file names.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from msmqctl.cli.app import COMPLETE_PREFIX, COMPLETE_VARIABLE, PROGRAM
from msmqctl.cli.nouns import NOUNS, Root
from msmqctl.cli.options import Flags
from msmqctl.cli.vendored_click import CompletionItem, ShellComplete


class _Asked(ShellComplete):
    """Typer's own search for candidates, fed from the arguments instead of from a shell's variables."""

    name = PROGRAM

    def source_vars(self) -> dict[str, str]:
        return {}

    def get_completion_args(self) -> tuple[list[str], str]:
        return [], ""

    def format_completion(self, item: CompletionItem) -> str:
        first_line = (item.help or "").strip().partition("\n")[0]
        return f"{item.value}\t{first_line}" if first_line else str(item.value)


def candidates(finished: Sequence[str], word: str) -> list[str]:
    """The lines of the answer, `word` being the one at the cursor."""
    # bash hands "--output=js" over as three words.
    before = [each for each in finished if each != "="]
    asked = _Asked(Root(NOUNS), {"obj": Flags()}, PROGRAM, COMPLETE_VARIABLE)
    found = asked.get_completions(before, word)
    # The other shells have "--output=js" as the one word that a candidate replaces.
    option, equals, _ = word.partition("=")
    lead = option + equals if equals and option.startswith("--") else ""
    return [lead + asked.format_completion(item) for item in found if item.type == "plain"]


def answer(finished: Sequence[str], question: str) -> None:
    """Print the candidates. A line that cannot be completed gets none: a shell is no place for an error."""
    try:
        lines = candidates(finished, question.removeprefix(COMPLETE_PREFIX))
    except Exception:
        lines = []
    sys.stdout.writelines(f"{line}\n" for line in lines)


_BASH = """\
# bash completion for msmqctl. Source this file, or install it as /usr/share/bash-completion/completions/msmqctl
_msmqctl() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line%%$'\\t'*}")
    done < <(_MSMQCTL_COMPLETE="complete:${COMP_WORDS[COMP_CWORD]}" "$1" "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -o default -o bashdefault -F _msmqctl msmqctl
"""

_ZSH = """\
#compdef msmqctl
# zsh completion for msmqctl. Put this file into a folder of $fpath under the name _msmqctl
_msmqctl() {
    local line value
    local -a described
    for line in "${(@f)$(_MSMQCTL_COMPLETE="complete:${(Q)words[CURRENT]}" ${words[1]} "${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}"; do
        [[ -n "$line" ]] || continue
        value="${line%%$'\\t'*}"
        if [[ "$line" == *$'\\t'* ]]; then
            described+=("${value//:/\\\\:}:${line#*$'\\t'}")
        else
            described+=("${value//:/\\\\:}")
        fi
    done
    if (( ${#described} )); then
        _describe -V msmqctl described
    else
        [[ "${words[CURRENT]}" == --*=* ]] && compset -P '*='
        _files
    fi
}
if [[ "$funcstack[1]" == "_msmqctl" ]]; then
    _msmqctl "$@"
else
    compdef _msmqctl msmqctl
fi
"""

_FISH = """\
# fish completion for msmqctl. Put this file into ~/.config/fish/completions
function __msmqctl_knows
    set -l words (commandline --cut-at-cursor --tokenize --current-process)
    set -l current (commandline --cut-at-cursor --current-token)
    set --global __msmqctl_found (_MSMQCTL_COMPLETE="complete:$current" $words[1] $words[2..-1] 2>/dev/null)
    test (count $__msmqctl_found) -gt 0
end
# Where the program knows nothing, fish completes file names.
complete --command msmqctl --no-files --condition __msmqctl_knows --arguments '(printf "%s\\n" $__msmqctl_found)'
"""

_POWERSHELL = """\
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
"""

# File name to content; what `docs completions` writes.
SCRIPTS: Mapping[str, str] = {
    "msmqctl.bash": _BASH,
    "_msmqctl": _ZSH,
    "msmqctl.fish": _FISH,
    "msmqctl.ps1": _POWERSHELL,
}
