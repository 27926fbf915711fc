ln -s /dev/zero "$1/partition.cu"
