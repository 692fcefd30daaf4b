"""What each kind of signature covers, as literal octets."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest

from msmqctl.wire.headers import MessagePropertiesHeader, PropertiesFlags
from msmqctl.wire.identity import ObjectId
from msmqctl.wire.multi_queue import FormatNameElement, FormatType, MultiQueueFormatHeader
from msmqctl.wire.signature import signed_octets
from msmqctl.wire.values import AuthenticationSignature, MessageClass
from tests.wire.samples import OTHER, SENDER, build

CONNECTOR = UUID("99999999-8888-7777-6666-555544443333")
MESSAGE = build(
    destination="OS:h\\q",
    admin=ObjectId(OTHER, 12),
    admin_code=6,
    response=9,
    response_code=2,
    connector=CONNECTOR,
    user=0x20 | 0x200,  # recoverable, positive journaling
    multi_queue=MultiQueueFormatHeader.of(
        (FormatNameElement(FormatType.PUBLIC, OTHER),),
        (FormatNameElement(FormatType.DIRECT, "OS:ad"),),
        (FormatNameElement(FormatType.DIRECT, "OS:r"), FormatNameElement(FormatType.DISTRIBUTION_LIST, SENDER)),
    ),
    properties=MessagePropertiesHeader.of(
        label="Lb",
        extension_data=b"EXT",
        message_body=b"BODY",
        correlation_id=bytes(range(20)),
        application_tag=0x01020304,
        flags=PropertiesFlags(0xF5),
        message_class=MessageClass.MQMSG_CLASS_REPORT,
        body_type=8,
    ),
)

COMMON = (
    bytes(range(20))
    + bytes.fromhex("04030201")
    + b"BODY"
    + b"L\0b\0\0\0"
    + bytes.fromhex("09000000")
    + OTHER.bytes_le
    + bytes.fromhex("0c000000")
)
DETAILS = SENDER.bytes_le + bytes.fromhex("01 03 02 05 0100 08000000") + CONNECTOR.bytes_le


@pytest.mark.spec("MQ-2.5-1", "MQ-2.5-2")
def test_sig10_covers_content_and_reply_queues() -> None:
    assert signed_octets(MESSAGE, AuthenticationSignature.SIG10) == COMMON


@pytest.mark.spec("MQ-2.5-1", "MQ-2.5-2")
def test_sig20_adds_the_sender_the_options_and_the_destination() -> None:
    assert signed_octets(MESSAGE, AuthenticationSignature.SIG20) == COMMON + DETAILS + "OS:h\\q\0".encode("utf-16-le")


@pytest.mark.spec("MQ-2.5-1", "MQ-2.5-2")
def test_sig30_adds_extension_and_lists_instead_of_the_destination() -> None:
    lists = b"\x01\0\0\0" + OTHER.bytes_le
    lists += b"\x03\0" + "OS:ad\0".encode("utf-16-le")  # what pads the end of a list is left out, what pads an element stays
    lists += b"\x03\0" + "OS:r\0".encode("utf-16-le") + b"\x06\0\0\0" + SENDER.bytes_le
    assert signed_octets(MESSAGE, AuthenticationSignature.SIG30) == COMMON + b"EXT" + lists + DETAILS


@pytest.mark.spec("MQ-2.5-2")
def test_what_is_absent_gives_nothing_but_the_connector_gives_zeros() -> None:
    bare = build(destination=OTHER, destination_code=5, properties=MessagePropertiesHeader.of())
    expected = bytes(20) + bytes(4) + SENDER.bytes_le + bytes.fromhex("00 03 00 00 0000 00000000") + bytes(16) + OTHER.bytes_le
    assert signed_octets(bare, AuthenticationSignature.SIG20) == expected


@pytest.mark.spec("MQ-2.5-1")
@pytest.mark.parametrize(("user", "octet"), [(0, 0), (0x100, 1), (0x200, 2), (0x300, 3)])
def test_negative_journaling_is_the_low_bit_and_positive_the_next(user: int, octet: int) -> None:
    bare = build(destination=OTHER, destination_code=5, properties=MessagePropertiesHeader.of(), user=user)
    assert signed_octets(bare, AuthenticationSignature.SIG20)[42] == octet


@pytest.mark.parametrize("kind", [AuthenticationSignature.NONE, AuthenticationSignature.XML, AuthenticationSignature(2)])
def test_other_kinds_are_not_signatures_of_a_packet(kind: AuthenticationSignature) -> None:
    with pytest.raises(ValueError, match="not a signature"):
        signed_octets(MESSAGE, kind)


def test_every_signed_field_changes_the_octets() -> None:
    changed = [
        replace(MESSAGE, properties=replace(MESSAGE.properties, message_body=b"body")),
        replace(MESSAGE, user=replace(MESSAGE.user, source_queue_manager=OTHER)),
        replace(MESSAGE, base=replace(MESSAGE.base, flags=MESSAGE.base.flags.replace(priority=4))),
        replace(MESSAGE, user=replace(MESSAGE.user, flags=MESSAGE.user.flags.replace(journal_negative=1))),
    ]
    octets = {signed_octets(message, AuthenticationSignature.SIG20) for message in [MESSAGE, *changed]}
    assert len(octets) == 5
