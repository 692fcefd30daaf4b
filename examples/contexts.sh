#!/usr/bin/env bash
# Keep two queue managers under names, look at them, and let a script read what the settings are.
set -eu

# A configuration of its own, so that trying this changes nothing of yours.
MSMQCTL_CONFIG_HOME=$(mktemp -d)
export MSMQCTL_CONFIG_HOME
trap 'rm -r "$MSMQCTL_CONFIG_HOME"' EXIT

msmqctl context add lab --host mq1.lab.example.com --connect-timeout 3 --select
msmqctl context add prod --host mq7.example.com --user 'CORP\mqadmin' --password env:MQ_PASSWORD

# The list is for people ...
msmqctl context list

# ... and the same list is for programs: field names are the keys, and they do not change.
msmqctl context list -o ndjson --columns name,host

# A script finds out beforehand whether a context can be used. 78 means: the configuration.
if msmqctl context check prod --quiet; then
    echo "prod can be used"
else
    echo "prod cannot be used yet (exit $?): MQ_PASSWORD is not set"
fi

# One command with another context; nothing else changes.
MQ_PASSWORD=secret msmqctl --context prod context show

msmqctl context remove lab --yes
msmqctl context remove prod --yes
