"""`python -m msmqctl` is the same program as `msmqctl`."""

from msmqctl.cli.app import main

if __name__ == "__main__":
    main()
