"""What stood where and when: a table of history for looking back."""
