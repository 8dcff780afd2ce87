"""Memory that comes from elsewhere: the protocol, its manager with deadlines, and Mem0."""
