"""What `answers.py` in a sheet's folder is written with: answers of which the verdict is known."""


def slip(source: str, *changes: tuple[str, str]) -> str:
    """The source with these places changed. Raises ValueError for a place that is not there."""
    for old, new in changes:
        if old not in source:
            raise ValueError(f"{old!r} is not in the source")
        source = source.replace(old, new)
    return source
