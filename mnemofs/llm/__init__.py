"""The model side: client, reply parsing, prompts, and the offline rules engine."""
