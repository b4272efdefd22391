"""A text with a sign for each place it names, so that its other words can be read by themselves. Pure."""

from rules.countries.mentions import mentions_in


def shape_of(text: str, place: str = "@", airport: str = "@@") -> str:
    """The text in small letters with `place` or `airport` for each place that it names."""
    parts, end = [], 0
    for mention in mentions_in(text):
        parts += [text[end : mention.start], airport if mention.kind == "airport" else place]
        end = mention.end
    return " ".join(("".join(parts) + text[end:]).lower().split())
