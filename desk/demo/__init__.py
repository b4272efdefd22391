"""The demo: a handbook written for this project, its elements and its claims, and how they are loaded."""
