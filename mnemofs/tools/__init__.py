"""The tools by which an agent uses its memory, as functions and as JSON schemas."""
