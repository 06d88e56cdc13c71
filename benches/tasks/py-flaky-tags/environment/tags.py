def join(tags):
    """Joins tags with commas. Each is named once; upper and lower case are the same tag."""
    unique = set(tag.strip().lower() for tag in tags)
    return ", ".join(tag for tag in unique if tag)
