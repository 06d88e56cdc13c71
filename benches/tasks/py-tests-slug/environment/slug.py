def slug(title, limit=20):
    """Makes a part of an address from a title.

    - Letters become lower case.
    - Each run of other characters than ASCII letters and digits becomes one `-`.
    - There is no `-` at the beginning or the end.
    - The result has at most `limit` characters, and does not end with `-` after it was shortened.
    - A title without letters and digits is `untitled`.
    """
    out = []
    for letter in title.lower():
        if letter.isascii() and letter.isalnum():
            out.append(letter)
        elif out and out[-1] != "-":
            out.append("-")
    return "".join(out)[:limit].strip("-") or "untitled"
