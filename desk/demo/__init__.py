"""The demo: a handbook written for this project, its elements, claims and items, and how they are loaded."""
