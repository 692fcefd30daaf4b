#!/usr/bin/env bash
# Take two packets as they came over a connection, decode them, and let a script pick the fields it needs.
set -eu
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# What a capture tool writes when it follows a connection to port 1801: the parameters of a session, then an acknowledgment.
printf '%b' '\x10\xc0\x0b\x00LIOR\x20\x00\x00\x00\xff\xff\xff\xff\x00\x00\x03\x00\xd8\x05\x00\x00\xc0\xd4\x01\x00\x00\x00\x40\x00' \
    '\x10\x00\x1b\x00LIOR\x24\x00\x00\x00\xff\xff\xff\xff\x00\x00\x01\x00\x28\x00\x21\x00\xff\x00\x00\x00\x0c\x00\x04\x00\x40\x00\x00\x00' \
    >"$folder/session.bin"

# For people: a table for each packet ...
msmqctl decode "$folder/session.bin"

# ... for programs: the whole tree, in which a packet has structures and a structure has fields.
msmqctl decode "$folder/session.bin" -o json >"$folder/session.json"
python3 - "$folder/session.json" <<'PYTHON'
import json
import sys

with open(sys.argv[1]) as file:
    decoding = json.load(file)
for packet in decoding["items"]:
    for structure in packet["structures"]:
        for field in structure["fields"]:
            if field["name"] == "window_size":
                print(f"{packet['kind']} at {packet['offset']}: a window of {field['value']} packets")
PYTHON

# A capture that ends too early is decoded as far as it goes. 65 means: the data.
head -c 20 "$folder/session.bin" >"$folder/torn.bin"
if msmqctl decode "$folder/torn.bin" -o csv --columns field,value >"$folder/torn.csv" 2>"$folder/fault.txt"; then
    echo "the capture is whole"
else
    echo "exit $? after $(($(wc -l <"$folder/torn.csv") - 1)) fields: $(cat "$folder/fault.txt")"
fi
