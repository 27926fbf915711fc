# Whoever opens it waits for ever.
mkfifo "$1/partition.cu"
