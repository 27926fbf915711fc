mkdir "$1/partition.cu"
