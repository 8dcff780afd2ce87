"""Git: the commit protocol, history and the work tree of one repository. No SQLite, no models."""
