#!/usr/bin/env bash
# Read the codes out of a log, say what each means, and tell a code that nobody knows from one that has an answer.
set -eu

log='08:15:02 orders: send failed with 0xC00E0027
08:15:09 orders: send failed with -1072824283
08:16:40 billing: receive failed with IOTimeout
08:17:00 billing: receive failed with MQ_ERROR_NO_SUCH_THING'

while read -r time program _ _ _ code; do
    # Exit 0: it is known, and its name and first next step stand in the JSON. Exit 2: it is not, and standard error has a hint.
    if answer=$(msmqctl explain "$code" -o json 2>/dev/null); then
        told=$(python3 -c 'import json, sys; first = json.load(sys.stdin)[0]; print(first["name"], *first["steps"][:1], sep=": ")' <<<"$answer")
    else
        told="unknown (exit $?)"
    fi
    echo "$time $program $told"
done <<<"$log"

# The same error, as a program gets it: one object on standard error, with the exit code in it.
error=$(msmqctl explain MQ_ERROR_NO_SUCH_THING -o json 2>&1) || python3 -m json.tool <<<"$error"
