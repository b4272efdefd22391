"""Environment becomes models behind roles: the only place that knows which vendor serves what."""


def configure_models() -> None:
    """Give the registry its models; nothing is loaded before it is first asked for."""
