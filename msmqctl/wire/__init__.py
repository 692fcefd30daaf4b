"""BYTES of every protocol, both directions: no decisions, no I/O, nothing imported but `errors`."""
