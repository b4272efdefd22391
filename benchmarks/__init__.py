"""Every figure the project claims, as a command that anyone can run."""
