"""`python -m mnemofs` is the same as the `mnemofs` command."""

from __future__ import annotations

from mnemofs.cli.main import main

if __name__ == "__main__":
    main()
