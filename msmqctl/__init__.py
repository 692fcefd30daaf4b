"""msmqctl: administer and diagnose Microsoft Message Queuing from any command line."""

__version__ = "0.1.0"
