"""The model side: client, reply handling, prompts, the rules engine."""
