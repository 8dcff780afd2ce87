"""A text taken out of the files and of all history, with proof."""
