"""Access masks: every name and value, generic rights, masks in words. [MS-MQMQ] 2.2.3, 2.2.23 to 2.2.27"""

from __future__ import annotations

from enum import IntFlag

import pytest
from hypothesis import given

from msmqctl.wire.rights import (
    RIGHT_TO_SEND,
    AccessMask,
    ConnectedNetworkRights,
    EnterpriseRights,
    GenericMapping,
    MachineRights,
    ObjectKind,
    QueueRights,
    SecurityInformation,
    SiteRights,
    describe,
)
from tests.wire.security_values import masks

# Typed from the documents, in their order.
TABLES: dict[type[IntFlag], str] = {
    SecurityInformation: """
        OWNER_SECURITY_INFORMATION 00000001  GROUP_SECURITY_INFORMATION 00000002
        DACL_SECURITY_INFORMATION 00000004  SACL_SECURITY_INFORMATION 00000008
    """,
    AccessMask: """
        DELETE 00010000  READ_CONTROL 00020000  WRITE_DAC 00040000  WRITE_OWNER 00080000  SYNCHRONIZE 00100000
        ACCESS_SYSTEM_SECURITY 01000000  MAXIMUM_ALLOWED 02000000
        GENERIC_ALL 10000000  GENERIC_EXECUTE 20000000  GENERIC_WRITE 40000000  GENERIC_READ 80000000
    """,
    QueueRights: """
        MQSEC_DELETE_MESSAGE 00000001  MQSEC_PEEK_MESSAGE 00000002  MQSEC_WRITE_MESSAGE 00000004
        MQSEC_DELETE_JOURNAL_MESSAGE 00000008  MQSEC_SET_QUEUE_PROPERTIES 00000010  MQSEC_GET_QUEUE_PROPERTIES 00000020
        MQSEC_DELETE_QUEUE 00010000  MQSEC_GET_QUEUE_PERMISSIONS 00020000  MQSEC_CHANGE_QUEUE_PERMISSIONS 00040000
        MQSEC_TAKE_QUEUE_OWNERSHIP 00080000  MQSEC_RECEIVE_MESSAGE 00000003  MQSEC_RECEIVE_JOURNAL_MESSAGE 0000000A
        MQSEC_QUEUE_GENERIC_READ 0002002B  MQSEC_QUEUE_GENERIC_WRITE 00020024  MQSEC_QUEUE_GENERIC_ALL 000F003F
    """,
    MachineRights: """
        MQSEC_DELETE_DEADLETTER_MESSAGE 00000001  MQSEC_PEEK_DEADLETTER_MESSAGE 00000002  MQSEC_CREATE_QUEUE 00000004
        MQSEC_SET_MACHINE_PROPERTIES 00000010  MQSEC_GET_MACHINE_PROPERTIES 00000020
        MQSEC_DELETE_JOURNAL_QUEUE_MESSAGE 00000040  MQSEC_PEEK_JOURNAL_QUEUE_MESSAGE 00000080
        MQSEC_DELETE_MACHINE 00010000  MQSEC_GET_MACHINE_PERMISSIONS 00020000  MQSEC_CHANGE_MACHINE_PERMISSIONS 00040000
        MQSEC_TAKE_MACHINE_OWNERSHIP 00080000
        MQSEC_RECEIVE_DEADLETTER_MESSAGE 00000003  MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE 000000C0
        MQSEC_MACHINE_GENERIC_READ 000200E3  MQSEC_MACHINE_GENERIC_WRITE 00020024  MQSEC_MACHINE_GENERIC_ALL 000F00F7
        MQSEC_MACHINE_WORLD_RIGHTS 00020020
    """,
    SiteRights: """
        MQSEC_CREATE_FRS 00000001  MQSEC_CREATE_BSC 00000002  MQSEC_CREATE_MACHINE 00000004
        MQSEC_SET_SITE_PROPERTIES 00000010  MQSEC_GET_SITE_PROPERTIES 00000020  MQSEC_DELETE_SITE 00010000
        MQSEC_GET_SITE_PERMISSIONS 00020000  MQSEC_CHANGE_SITE_PERMISSIONS 00040000  MQSEC_TAKE_SITE_OWNERSHIP 00080000
        MQSEC_SITE_GENERIC_READ 00020020  MQSEC_SITE_GENERIC_WRITE 00020024  MQSEC_SITE_GENERIC_ALL 000F0037
    """,
    EnterpriseRights: """
        MQSEC_CREATE_USER 00000001  MQSEC_CREATE_SITE 00000002  MQSEC_CREATE_CN 00000004
        MQSEC_SET_ENTERPRISE_PROPERTIES 00000010  MQSEC_GET_ENTERPRISE_PROPERTIES 00000020  MQSEC_DELETE_ENTERPRISE 00010000
        MQSEC_GET_ENTERPRISE_PERMISSIONS 00020000  MQSEC_CHANGE_ENTERPRISE_PERMISSIONS 00040000
        MQSEC_TAKE_ENTERPRISE_OWNERSHIP 00080000
        MQSEC_ENTERPRISE_GENERIC_READ 00020021  MQSEC_ENTERPRISE_GENERIC_WRITE 00020027  MQSEC_ENTERPRISE_GENERIC_ALL 000F0037
    """,
    ConnectedNetworkRights: """
        MQSEC_CN_OPEN_CONNECTOR 00000001  MQSEC_SET_CN_PROPERTIES 00000010  MQSEC_GET_CN_PROPERTIES 00000020
        MQSEC_DELETE_CN 00010000  MQSEC_GET_CN_PERMISSIONS 00020000  MQSEC_CHANGE_CN_PERMISSIONS 00040000
        MQSEC_TAKE_CN_OWNERSHIP 00080000  MQSEC_CN_GENERIC_READ 00020020  SEC_CN_GENERIC_ALL 000F0031
    """,
}


@pytest.mark.parametrize("table", TABLES)
def test_names_and_values_are_those_of_the_document(table: type[IntFlag]) -> None:
    typed = TABLES[table].split()
    assert {name: int(right) for name, right in table.__members__.items()} == {
        name: int(value, 16) for name, value in zip(typed[::2], typed[1::2], strict=True)
    }


@pytest.mark.spec("MQ-T-36")
def test_sums_of_the_document_are_unions_and_one_name_lacks_its_prefix() -> None:
    assert int(MachineRights.MQSEC_MACHINE_GENERIC_READ) == 0x20 + 0x20000 + (0x1 + 0x2) + (0x40 + 0x80)
    # Both composites of this one contain the right to peek, which counts once.
    assert int(QueueRights.MQSEC_QUEUE_GENERIC_READ) == 0x20 + 0x20000 + 0x1 + 0x2 + 0x8
    assert "SEC_CN_GENERIC_ALL" in ConnectedNetworkRights.__members__
    assert "MQSEC_CN_GENERIC_ALL" not in ConnectedNetworkRights.__members__


@pytest.mark.spec("MQ-2.2.24-1")
def test_the_right_to_send_is_one_bit() -> None:
    assert RIGHT_TO_SEND == 0x4


READ, WRITE, EXECUTE, ALL = 0x80000000, 0x40000000, 0x20000000, 0x10000000


@pytest.mark.parametrize(
    ("kind", "mask", "mapped"),
    [
        (ObjectKind.QUEUE, READ, 0x2002B),
        (ObjectKind.QUEUE, WRITE, 0x20024),
        (ObjectKind.QUEUE, ALL, 0xF003F),
        (ObjectKind.QUEUE, READ | WRITE, 0x2002F),
        (ObjectKind.QUEUE, READ | 0x10, 0x2003B),
        (ObjectKind.QUEUE, EXECUTE, EXECUTE),
        (ObjectKind.QUEUE, 0x12345, 0x12345),
        (ObjectKind.MACHINE, READ, 0x200E3),
        (ObjectKind.MACHINE, WRITE, 0x20024),
        (ObjectKind.MACHINE, ALL, 0xF00F7),
        (ObjectKind.SITE, READ, 0x20020),
        (ObjectKind.SITE, WRITE, 0x20024),
        (ObjectKind.SITE, ALL, 0xF0037),
        (ObjectKind.ENTERPRISE, READ, 0x20021),
        (ObjectKind.ENTERPRISE, WRITE, 0x20027),
        (ObjectKind.ENTERPRISE, ALL, 0xF0037),
        (ObjectKind.CONNECTED_NETWORK, READ, 0x20020),
        (ObjectKind.CONNECTED_NETWORK, WRITE, WRITE),
        (ObjectKind.CONNECTED_NETWORK, ALL, 0xF0031),
    ],
)
def test_generic_rights_stand_for_the_composites_of_the_kind(kind: ObjectKind, mask: int, mapped: int) -> None:
    assert kind.mapping.apply(mask) == mapped


def test_a_mapping_may_be_given_for_other_objects() -> None:
    files = GenericMapping(read=0x120089, write=0x120116, execute=0x1200A0, all=0x1F01FF)
    assert files.apply(EXECUTE | WRITE) == 0x1201B6


@pytest.mark.parametrize(
    ("kind", "mask", "names"),
    [
        (ObjectKind.QUEUE, 0, ()),
        (ObjectKind.QUEUE, 0x4, ("MQSEC_WRITE_MESSAGE",)),
        (ObjectKind.QUEUE, 0x3, ("MQSEC_RECEIVE_MESSAGE",)),
        (ObjectKind.QUEUE, 0xA, ("MQSEC_RECEIVE_JOURNAL_MESSAGE",)),
        (ObjectKind.QUEUE, 0xB, ("MQSEC_RECEIVE_MESSAGE", "MQSEC_DELETE_JOURNAL_MESSAGE")),
        (ObjectKind.QUEUE, 0xF003F, ("MQSEC_QUEUE_GENERIC_ALL",)),
        (ObjectKind.QUEUE, 0x2002F, ("MQSEC_QUEUE_GENERIC_READ", "MQSEC_WRITE_MESSAGE")),
        (ObjectKind.QUEUE, 0x20020, ("MQSEC_GET_QUEUE_PROPERTIES", "MQSEC_GET_QUEUE_PERMISSIONS")),
        (ObjectKind.QUEUE, 0x0C00_0440, ("0x0C000440",)),
        (ObjectKind.QUEUE, 0x1F01FF, ("MQSEC_QUEUE_GENERIC_ALL", "SYNCHRONIZE", "0x000001C0")),
        (ObjectKind.QUEUE, READ, ("GENERIC_READ",)),
        (ObjectKind.MACHINE, 0x20020, ("MQSEC_MACHINE_WORLD_RIGHTS",)),
        (ObjectKind.MACHINE, 0xC3, ("MQSEC_RECEIVE_DEADLETTER_MESSAGE", "MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE")),
        (ObjectKind.SITE, 0x20024, ("MQSEC_SITE_GENERIC_WRITE",)),
        (ObjectKind.ENTERPRISE, 0x20027, ("MQSEC_ENTERPRISE_GENERIC_WRITE",)),
        (ObjectKind.CONNECTED_NETWORK, 0xF0031, ("SEC_CN_GENERIC_ALL",)),
        (ObjectKind.CONNECTED_NETWORK, 0xF0033, ("SEC_CN_GENERIC_ALL", "0x00000002")),
    ],
)
def test_a_mask_in_words(kind: ObjectKind, mask: int, names: tuple[str, ...]) -> None:
    assert describe(mask, kind) == names


@pytest.mark.parametrize("kind", ObjectKind)
@given(mask=masks)
def test_words_name_every_bit_once(kind: ObjectKind, mask: int) -> None:
    members = {**AccessMask.__members__, **kind.rights.__members__}
    values = [int(name, 16) if name.startswith("0x") else int(members[name]) for name in describe(mask, kind)]
    union = 0
    for value in values:
        assert not union & value
        union |= value
    assert union == mask
