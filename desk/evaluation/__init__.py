"""Labelled data becomes figures: how well what the product does agrees with what people judged."""
