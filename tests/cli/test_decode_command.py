"""`msmqctl decode` as it is typed: files, digits, standard input, every output format, every refusal."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Answer, Run
from tests.wire.samples import build, vector

PARAMETERS = vector("frame05-connection-parameters-request")


def test_a_file_of_octets(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "packet.bin"
    file.write_bytes(PARAMETERS)
    ran = run("decode", str(file))
    assert ran.code == 0
    heading, columns, *lines = ran.out.splitlines()
    assert heading == "connection parameters, 32 octets at 0x0000"
    assert columns.split() == ["offset", "size", "field", "value", "meaning"]
    assert any(line.split() == ["0x0018", "4", "ParametersBody.ack_timeout_ms", "120000"] for line in lines)


@pytest.mark.parametrize("words", [("--hex", PARAMETERS.hex()), ("--hex", PARAMETERS.hex(" ")), (PARAMETERS.hex(":"), "--hex")])
def test_digits_on_the_command_line(run: Run, words: tuple[str, ...]) -> None:
    assert "ParametersBody.window_size" in run("decode", *words).out


@pytest.mark.parametrize("words", [(), ("--hex",)])
def test_a_file_of_digits_with_and_without_being_told(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "packet.hex"
    file.write_text(PARAMETERS.hex(" ") + "\n")
    assert "ParametersBody.window_size" in run("decode", str(file), *words).out


def test_json_is_the_whole_tree(run: Run) -> None:
    tree = json.loads(run("decode", "--hex", vector("derived-transactional-direct").hex(), "-o", "json").out)
    assert (tree["kind"], tree["size"], tree["fault"]) == ("packet", 208, None)
    (item,) = tree["items"]
    assert [structure["name"] for structure in item["structures"]] == [
        "BaseHeader",
        "UserHeader",
        "TransactionHeader",
        "MessagePropertiesHeader",
    ]
    flags = item["structures"][2]["fields"][0]
    assert {bit["name"]: bit["value"] for bit in flags["fields"]}["first_message"] is True
    body = next(field for field in item["structures"][3]["fields"] if field["name"] == "message_body")
    assert (body["value"], body["meaning"]) == ("aGVsbG8=", '"hello"')


def test_lines_and_columns_for_scripts(run: Run) -> None:
    rows = [json.loads(line) for line in run("decode", "--hex", PARAMETERS.hex(), "-o", "ndjson").out.splitlines()]
    assert rows[0] == {"offset": 0, "size": 1, "field": "BaseHeader.version_number", "value": 16, "meaning": "the only version"}
    table = list(csv.reader(io.StringIO(run("decode", "--hex", PARAMETERS.hex(), "-o", "csv", "--columns", "field,value").out)))
    assert table[0] == ["field", "value"]
    assert ["ParametersBody.window_size", "64"] in table


def refused(ran: Answer, code: int, *words: str) -> None:
    assert ran.code == code
    assert "Traceback" not in ran.err
    first, *rest = ran.err.splitlines()
    assert first.startswith("error: ")
    assert len(rest) <= 1
    assert all(line.startswith("hint: ") for line in rest)
    assert all(word in ran.err for word in words)


def test_a_torn_packet_is_shown_up_to_the_fault(run: Run) -> None:
    ran = run("decode", "--hex", vector("frame07-user-message-as-published").hex())
    refused(ran, 65, "BaseHeader.packet_size at offset 8", "574 octets missing")
    assert "mqsender label" in ran.out
    assert "message_body (cut)" in ran.out


def test_a_torn_packet_in_json_has_tree_and_fault(run: Run) -> None:
    ran = run("decode", "--hex", PARAMETERS[:30].hex(), "-o", "json")
    assert ran.code == 65
    assert json.loads(ran.out)["fault"] == {"where": "BaseHeader.packet_size", "offset": 8, "problem": "2 octets missing"}
    error = json.loads(ran.err)["error"]
    assert (error["kind"], error["where"], error["offset"], error["exit_code"]) == ("DecodeError", "BaseHeader.packet_size", 8, 65)


def test_a_lying_packet_is_shown_up_to_the_lie(run: Run) -> None:
    lying = bytearray(build().pack())
    lying[120:124] = b"\xf0\xff\xff\xff"
    ran = run("decode", "--hex", lying.hex())
    refused(ran, 65, "MessagePropertiesHeader.message_body at offset 148", "4294967280 octets wanted")
    assert "MessagePropertiesHeader.label" in ran.out


def test_what_is_no_packet(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear colleague, this is not a packet.")
    refused(run("decode", str(file)), 65, "no MSMQ packet", "--as")
    file.write_bytes(b"")
    refused(run("decode", str(file)), 65, "empty")


def test_what_cannot_be_read(run: Run, tmp_path: Path) -> None:
    refused(run("decode", str(tmp_path / "absent.bin")), 66, "absent.bin", "No such file")
    refused(run("decode", str(tmp_path)), 66, "Is a directory")
    refused(run("decode", "--hex", "not digits"), 66, "not digits")
    refused(run("decode", "--hex", "10c0", "--as", "letter"), 2, "letter", "security-descriptor")
    digits = tmp_path / "letter.txt"
    digits.write_text("no digits here")
    refused(run("decode", str(digits), "--hex"), 2, "not hexadecimal")


def test_a_peers_text_cannot_command_the_terminal(run: Run) -> None:
    hostile = build(destination="OS:h\\\x1b[2J\u202e\x07")
    ran = run("decode", "--hex", hostile.pack().hex())
    assert not {"\x1b", "\u202e", "\x07"} & set(ran.out)
    assert "\\x1b[2J\\u202e\\x07" in ran.out


def test_irregular_packets_are_shown_with_a_note(run: Run) -> None:
    ran = run("decode", "--hex", build(base=0x40).pack().hex())
    assert ran.code == 0
    assert "irregular: BaseHeader.flags: reserved bits are set." in ran.err


def test_the_kind_can_be_told(run: Run) -> None:
    ran = run("decode", "--hex", "4433221166558877 99aabbccddeeff00 07000000", "--as", "OBJECT-ID")
    assert ran.code == 0
    assert "11223344-5566-7788-99aa-bbccddeeff00" in ran.out
