# The tests themselves, with all that is expected.
echo "#include \"$ROOT/grader/suites/partition.c\"" >"$1/partition.cu"
