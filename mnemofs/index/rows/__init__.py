"""The rows of the present files: schema, projection, what changed, writing and erasing."""
