"""The SQLite sidecar: a projection of the work tree that can always be thrown away, and search."""
