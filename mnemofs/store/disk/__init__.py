"""Files, folders and locks of the machine, and who still has one of them open. No git."""
