awk '
    { level = $2 ~ /^[A-Z]+$/ && NF >= 2 ? $2 : "OTHER"; count[level]++ }
    END {
        for (level in count) print level, count[level] | "sort -k2,2nr -k1,1"
        close("sort -k2,2nr -k1,1")
        exit ("ERROR" in count)
    }
'
