cd -- "$1" || exit 1
count=0
for name in *; do
    [ -f "./$name" ] || continue
    [ "$count" -lt "$2" ] || break
    printf '%s\n' "$name"
    count=$((count + 1))
done
exit 0
