def merge(ranges):
    """Merges overlapping or touching `[start, end]` ranges. The argument is not changed."""
    merged = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged
