"""A text or a question taken apart: folded words, language, the days it speaks of. Pure."""
