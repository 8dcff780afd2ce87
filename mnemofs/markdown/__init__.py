"""Pure text: sections, entries, edits, budgets, merges and chunks of Markdown.

No git, no clock, no files: bytes go in, bytes come out.
"""
