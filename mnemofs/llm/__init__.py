"""The model's side: client, reply parsing, prompts, and the offline rules engine. No files, no git."""
