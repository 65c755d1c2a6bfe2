"""`python -m thudstone` is the command `thudstone`."""

import sys

from thudstone.protocol.cli import main

if __name__ == "__main__":
    sys.exit(main())
