# 100 MB of source.
head -c 100000000 /dev/zero | tr '\0' '/' >"$1/partition.cu"
