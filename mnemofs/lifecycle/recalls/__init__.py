"""Which entries entered which prompt, counted and explained."""
