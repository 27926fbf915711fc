# The solution by its whole path.
echo "#include \"$ROOT/solutions/01-partition/partition.cu\"" >"$1/partition.cu"
