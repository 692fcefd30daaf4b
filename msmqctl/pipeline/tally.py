"""Count packets by class and destination on Spark: the smallest whole job, from octets to a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msmqctl.pipeline.run import available, spark

if TYPE_CHECKING:
    import pyarrow

__all__ = ["available", "by_class_and_queue"]

SCHEMA = "message_class string, queue string"


def by_class_and_queue(packets: Sequence[bytes], cache: Path) -> list[tuple[str, str, int]]:
    """Class name, destination and number of messages, the most frequent first."""
    with spark(cache) as session:
        frame = session.createDataFrame([(packet,) for packet in packets], "packet binary")
        counted = frame.mapInArrow(decode_batches, SCHEMA).groupBy("message_class", "queue").count()
        rows = counted.orderBy(counted["count"].desc(), "message_class").collect()
    return [(row["message_class"], row["queue"], row["count"]) for row in rows]


def decode_batches(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """What a worker does with its share of the packets."""
    import pyarrow as pa

    from msmqctl.wire.packet import UserMessage

    for batch in batches:
        messages = [UserMessage.read_all(packet.as_buffer()) for packet in batch.column(0)]
        classes = [message.properties.message_class.name for message in messages]
        queues = [str(message.user.destination_queue) for message in messages]
        yield pa.RecordBatch.from_arrays([pa.array(classes), pa.array(queues)], names=["message_class", "queue"])
