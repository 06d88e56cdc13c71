cd $1
count=0
for name in $(ls); do
    if [ -f $name ]; then
        echo $name
        count=$((count + 1))
        [ $count = $2 ] && break
    fi
done
