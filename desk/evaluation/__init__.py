"""Evaluate the product on labeled data: how well it agrees with people's judgments."""
