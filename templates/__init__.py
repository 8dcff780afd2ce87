"""What `mnemofs init` puts into a new workspace."""
