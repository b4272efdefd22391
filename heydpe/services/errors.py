"""What goes wrong with the embedded services, said in one line that tells what to do."""


class ServicesError(Exception):
    """The services cannot be had; the text is one line for a person at a terminal."""
