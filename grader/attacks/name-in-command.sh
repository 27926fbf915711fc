# More files, whose names are options and commands.
cp "$ROOT/labs/01-partition/partition.cu" "$1"
touch "$1/-o" "$1/--help" "$1/\$(touch owned)" "$1/; touch owned;" "$1/"'`touch owned`'
