"""What an agent is told: the always-on prompt and what is recalled for one question."""
