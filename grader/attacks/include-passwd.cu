// A compiler's message would quote the file's first line.
#include "/etc/passwd"
