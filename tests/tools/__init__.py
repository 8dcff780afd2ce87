"""The tools by which agents use a memory, and writing by strategy."""
