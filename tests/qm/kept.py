"""One rich sample of all that the store keeps, its text to the letter, and how to write, read and compare either."""

from __future__ import annotations

from dataclasses import MISSING, fields
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from msmqctl.qm.directory_model import DirectoryServerType, OperatingSystemType, QueueManager
from msmqctl.qm.message import (
    BASE_PROVIDER_NAME,
    AcknowledgementsRequested,
    AdministrationQueueType,
    AuthenticationLevel,
    DeliveryGuarantee,
    DestinationQueueType,
    Message,
    ResponseQueueType,
    SenderIdentifierType,
)
from msmqctl.qm.model import (
    OutgoingQueue,
    Queue,
    QueuePrivacyLevel,
    QueueType,
)
from msmqctl.qm.shelf import (
    content_of,
    manager_attributes,
    manager_of,
    message_of,
    queue_attributes,
    queue_of,
)
from msmqctl.qm.store import Content, QueueRow
from msmqctl.wire.identity import ObjectId, TxSequenceId
from msmqctl.wire.keys import ProviderKey, ProviderType, RsaPublicKey
from msmqctl.wire.names import parse_format_name, parse_path_name
from msmqctl.wire.security import NULL_ACL, SecurityDescriptor
from msmqctl.wire.sid import EVERYONE
from msmqctl.wire.values import EncryptionAlgorithm, HashAlgorithm, MessageClass, PrivacyLevel
from tests.qm.attributes import DIRECT, MULTICAST, ONE, OTHER, SEVERAL, THREE, TWO

NOON = datetime(2026, 2, 3, 12, 0, 0, 1, tzinfo=UTC)
GUID = UUID("00112233-4455-6677-8899-aabbccddeeff")
SECURITY = SecurityDescriptor(owner=EVERYONE, dacl=NULL_ACL)
KEY = ProviderKey(ProviderType.PROV_RSA_AES, "P", RsaPublicKey(8, 3, 0xAB))

# Every attribute that a restart leaves alone, with a value that is not its default.
MESSAGE: dict[str, Any] = {
    "lookup_identifier": 0xFFFFFFFFFFFFFFFF,
    "identifier": ObjectId(GUID, 0xFFFFFFFF),
    "allow_peek_when_locked": True,
    "arrival_time": NOON,
    "sent_time": datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC),
    "source_machine_identifier": ONE,
    "message_position_reference": 7,
    "size": 1400,
    "message_class": MessageClass(0x1234),
    "label": 'Größe "1" \ud800 \U0001f600',
    "body": b"\0\xff",
    "body_type": 8,
    "extension": b"\0\xfe",
    "application_tag": 5,
    "correlation_identifier": ObjectId(ONE, 0),
    "priority": 7,
    "delivery_guarantee": DeliveryGuarantee.RECOVERABLE,
    "time_to_reach_queue": 0,
    "time_to_be_received": 60,
    "tracing_requested": True,
    "tracing_queue_identifier": TWO,
    "destination_queue_format_name": DIRECT,
    "destination_multi_queue_format_name": (DIRECT, MULTICAST),
    "destination_queue_type": DestinationQueueType.DIRECT_QUEUE,
    "destination_queue_manager_identifier": THREE,
    "response_queue_format_name": SEVERAL,
    "response_multi_queue_format_name": (OTHER,),
    "response_queue_type": ResponseQueueType.DIRECT_QUEUE,
    "administration_queue_format_name": parse_format_name(f"PRIVATE={ONE}\\3"),
    "administration_multi_queue_format_name": (parse_format_name(f"PUBLIC={TWO}"),),
    "administration_queue_type": AdministrationQueueType.PUBLIC_QUEUE,
    "acknowledgements_requested": AcknowledgementsRequested.ACK_FULL_RECEIVE,
    "positive_journaling_requested": True,
    "negative_journaling_requested": True,
    "application_deadletter_queue": r".\private$\dead",
    "sender_identifier_type": SenderIdentifierType.QUEUE_MANAGER_IDENTIFIER,
    "sender_identifier": GUID,
    "sender_certificate": b"DER",
    "authentication_level": AuthenticationLevel.SIG30,
    "authentication_provider_type": 0x18,
    "authentication_provider_name": BASE_PROVIDER_NAME,
    "hash_algorithm": HashAlgorithm.CALG_MD5,
    "signature": b"s",
    "multiple_destination_signature": b"m",
    "privacy_level": PrivacyLevel(9),
    "encryption_algorithm": EncryptionAlgorithm(0x660E),
    "symmetric_key": b"k",
    "connector_type_identifier": ONE,
    "connector_queue_manager_identifier": TWO,
    "transaction_status_queue_format_name": parse_format_name(f"CONNECTOR={ONE};XACTONLY"),
    "transactional_message_sequence_identifier": TxSequenceId(0x0123456789ABCDEF),
    "transaction_sequence_number": 2,
    "transaction_previous_sequence_number": 1,
    "transaction_identifier": GUID,
    "final_ack_required": True,
    "first_in_transaction": True,
    "last_in_transaction": True,
    "soap_envelope": "<e/>",
    "soap_compound_message": b"\r\n",
    "soap_body": "<b/>",
    "soap_header": "<h/>",
}
QUEUE: dict[str, Any] = {
    "identifier": GUID,
    "label": "Orders",
    "create_time": 1,
    "modify_time": 2,
    "type": ONE,
    "pathname": parse_path_name(r"Host\private$\Orders"),
    "qualified_pathname": parse_path_name(r"host.example\private$\Orders"),
    "private_queue_number": 13,
    "journaling": True,
    "quota": 0,
    "journal_quota": 1,
    "authentication": True,
    "privacy_level": QueuePrivacyLevel.BODY,
    "transactional": True,
    "multicast_address": MULTICAST,
    "security": SECURITY,
    "base_priority": -1,
    "full_path": "CN=Orders",
    "directory_path": "LDAP://CN=Orders",
    "queue_type": QueueType.PRIVATE,
    "journal_queue_reference": 4,
    "subqueue_collection": {16, 1},
}
OUTGOING: dict[str, Any] = QUEUE | {"destination_format_name": MULTICAST, "multicast": True}
MANAGER: dict[str, Any] = {
    "identifier": GUID,
    "computer_name": "host",
    "queue_manager_version": "5",
    "operating_system_version": "10",
    "operating_system_type": OperatingSystemType.WIN_SERVER,
    "qualified_computer_name": "host.example",
    "create_time": 1,
    "modify_time": 2,
    "queue_manager_quota": 3,
    "journal_quota": 4,
    "foreign_system": True,
    "full_path": "CN=msmq",
    "site_identifier_list": (TWO, ONE),
    "connected_network_identifier_list": (THREE,),
    "out_routing_server_identifier_list": (ONE,),
    "in_routing_server_identifier_list": (TWO,),
    "directory_server": True,
    "remote_access_server": True,
    "routing_server": True,
    "supporting_server": True,
    "directory_server_type": DirectoryServerType.PRIMARY_SITE_CONTROLLER,
    "public_encryption_key_list": (KEY,),
    "public_signing_key_list": (KEY, KEY),
    "security": SECURITY,
    "clustered": True,
    "last_domain": ONE,
    "directory_server_list": ("dc1", "dc2"),
    "directory_integrated": True,
    "srmp_http_support": True,
    "srmp_pgm_support": True,
    "hardened_security": True,
    "queue_collection": {16, 1},
    "transaction_collection": {TWO, ONE},
    "initialization_retry_timer_duration": 5,
    "sequential_id": 6,
}

# The format, to the letter: a change here is a change of every store that exists. The lines of a text are one line in the store.
MESSAGE_TEXT = r"""
{"lookup_identifier":18446744073709551615,"identifier":"00112233445566778899aabbccddeeff:4294967295","allow_peek_when_locked":true,
"arrival_time":1770120000000001,"sent_time":-1000000,"source_machine_identifier":"00000000000000000000000000000001",
"message_position_reference":7,"size":1400,"message_class":4660,"label":"Gr\u00f6\u00dfe \"1\" \ud800 \ud83d\ude00","body_type":8,
"extension":"AP4=","application_tag":5,"correlation_identifier":"00000000000000000000000000000001:0","priority":7,"delivery_guarantee":1,
"time_to_reach_queue":0,"time_to_be_received":60,"tracing_requested":true,"tracing_queue_identifier":"00000000000000000000000000000002",
"destination_queue_format_name":"DIRECT=OS:host\\private$\\orders",
"destination_multi_queue_format_name":["DIRECT=OS:host\\private$\\orders","MULTICAST=234.1.1.1:8001"],"destination_queue_type":7,
"destination_queue_manager_identifier":"00000000000000000000000000000003",
"response_queue_format_name":"DIRECT=OS:host\\private$\\orders,DIRECT=OS:host\\private$\\bills",
"response_multi_queue_format_name":["DIRECT=OS:host\\private$\\bills"],"response_queue_type":7,
"administration_queue_format_name":"PRIVATE=00000000-0000-0000-0000-000000000001\\3",
"administration_multi_queue_format_name":["PUBLIC=00000000-0000-0000-0000-000000000002"],"administration_queue_type":5,
"acknowledgements_requested":14,"positive_journaling_requested":true,"negative_journaling_requested":true,
"application_deadletter_queue":".\\private$\\dead","sender_identifier_type":2,"sender_identifier":"00112233445566778899aabbccddeeff",
"sender_certificate":"REVS","authentication_level":5,"authentication_provider_type":24,
"authentication_provider_name":"Microsoft Base Cryptographic Provider, v1.0","hash_algorithm":32771,"signature":"cw==",
"multiple_destination_signature":"bQ==","privacy_level":9,"encryption_algorithm":26126,"symmetric_key":"aw==",
"connector_type_identifier":"00000000000000000000000000000001","connector_queue_manager_identifier":"00000000000000000000000000000002",
"transaction_status_queue_format_name":"CONNECTOR=00000000-0000-0000-0000-000000000001;XACTONLY",
"transactional_message_sequence_identifier":"0123456789abcdef","transaction_sequence_number":2,"transaction_previous_sequence_number":1,
"transaction_identifier":"00112233445566778899aabbccddeeff","final_ack_required":true,"first_in_transaction":true,
"last_in_transaction":true,"soap_envelope":"<e/>","soap_compound_message":"DQo=","soap_body":"<b/>","soap_header":"<h/>"}
"""
QUEUE_TEXT = r"""
{"identifier":"00112233445566778899aabbccddeeff","label":"Orders","create_time":1,"modify_time":2,
"type":"00000000000000000000000000000001","pathname":"Host\\private$\\Orders","qualified_pathname":"host.example\\private$\\Orders",
"private_queue_number":13,"journaling":true,"quota":0,"journal_quota":1,"authentication":true,"privacy_level":"Body","transactional":true,
"multicast_address":"MULTICAST=234.1.1.1:8001","security":"AQAEgBQAAAAAAAAAAAAAAAAAAAABAQAAAAAAAQAAAAA=","base_priority":-1,
"full_path":"CN=Orders","directory_path":"LDAP://CN=Orders","queue_type":"Private","journal_queue_reference":4,
"subqueue_collection":[1,16]}
"""
OUTGOING_TEXT = QUEUE_TEXT.replace("}", ',"destination_format_name":"MULTICAST=234.1.1.1:8001","multicast":true}')
MANAGER_TEXT = r"""
{"identifier":"00112233445566778899aabbccddeeff","computer_name":"host","queue_manager_version":"5","operating_system_version":"10",
"operating_system_type":"WinServer","qualified_computer_name":"host.example","create_time":1,"modify_time":2,"queue_manager_quota":3,
"journal_quota":4,"foreign_system":true,"full_path":"CN=msmq","site_identifier_list":["00000000000000000000000000000002",
"00000000000000000000000000000001"],"connected_network_identifier_list":["00000000000000000000000000000003"],
"out_routing_server_identifier_list":["00000000000000000000000000000001"],
"in_routing_server_identifier_list":["00000000000000000000000000000002"],"directory_server":true,"remote_access_server":true,
"routing_server":true,"supporting_server":true,"directory_server_type":"PrimarySiteController",
"public_encryption_key_list":["FQAAAAQAAAAYAAAAUAAAAAYCAAAApAAAUlNBMQgAAAADAAAAqw=="],
"public_signing_key_list":["FQAAAAQAAAAYAAAAUAAAAAYCAAAApAAAUlNBMQgAAAADAAAAqw==","FQAAAAQAAAAYAAAAUAAAAAYCAAAApAAAUlNBMQgAAAADAAAAqw=="],
"security":"AQAEgBQAAAAAAAAAAAAAAAAAAAABAQAAAAAAAQAAAAA=","clustered":true,"last_domain":"00000000000000000000000000000001",
"directory_server_list":["dc1","dc2"],"directory_integrated":true,"srmp_http_support":true,"srmp_pgm_support":true,
"hardened_security":true,"queue_collection":[1,16],"transaction_collection":["00000000000000000000000000000001",
"00000000000000000000000000000002"],"initialization_retry_timer_duration":5,"sequential_id":6}
"""

PATH = "/var/queues.msmq"
KINDS: dict[type[Any], tuple[dict[str, Any], str]] = {
    Message: (MESSAGE, MESSAGE_TEXT),
    Queue: (QUEUE, QUEUE_TEXT),
    OutgoingQueue: (OUTGOING, OUTGOING_TEXT),
    QueueManager: (MANAGER, MANAGER_TEXT),
}
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def made(kind: type[Any], attributes: dict[str, Any]) -> Any:
    """An element; a queue manager knows at least the networks that its list names."""
    if kind is QueueManager:
        networks = frozenset(attributes.get("connected_network_identifier_list", ()))
        return QueueManager(**{"connected_network_collection": networks} | attributes)
    return kind(**attributes)


def written(element: Any) -> str:
    if isinstance(element, Message):
        return content_of(element).attributes
    return manager_attributes(element) if isinstance(element, QueueManager) else queue_attributes(element)


def read(kind: type[Any], text: str, body: bytes = b"") -> Any:
    if kind is Message:
        return message_of(Content(text, body), path=PATH)
    if kind is QueueManager:
        return manager_of(text, path=PATH)
    return queue_of(QueueRow(3, "key", "kind", None, text, 2, 2800), path=PATH)


def exact(element: Any) -> dict[str, str]:
    """What a restart shall leave alone, to the letter: names are equal in any case, and numbers equal members of enumerations."""
    values = {name: getattr(element, name) for name in KINDS[type(element)][0]}
    return {name: repr(sorted(found) if isinstance(found, set) else found) for name, found in values.items()}


def minimal(kind: type[Any]) -> dict[str, Any]:
    """The attributes without which there is no element."""
    return {one.name: KINDS[kind][0][one.name] for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING}
