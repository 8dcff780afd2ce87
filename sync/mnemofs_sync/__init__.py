"""Rows beyond this machine: the package that will hold backends, the mirror and spaces."""
