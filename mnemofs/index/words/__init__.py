"""The lane of words: BM25 from FTS5 or from arrays, and what is tried when nothing matched."""
