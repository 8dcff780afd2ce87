"""The lane of meaning: embedders, vectors, their inverted lists, and questions among them."""
