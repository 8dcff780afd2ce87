"""Looking back: history, blame, differences, the store as it was, and taking a piece of it back."""
