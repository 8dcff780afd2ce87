"""Snapshots: one memory as a ZIP file, and such a file taken in again.

`contents` says what belongs into one, `archive` reads and writes the file, `planning` compares it
with what stands.
"""
