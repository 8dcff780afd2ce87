"""The commit protocol: what a write or a hand edit becomes, whole or not at all."""
