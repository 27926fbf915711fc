/* cuda_runtime.h - CUDA C for clang without a CUDA toolkit: what every .cu file sees, as with nvcc,
 * without an #include of its own.
 *
 * Everything here is the course's own; only threadIdx and its like come from clang's headers. With
 * nvcc none of these files is used. A function that is one PTX instruction here becomes just that
 * instruction, on the line of its caller: hence always_inline and nodebug everywhere. */
#pragma once

#if !defined(__clang__) || !defined(__CUDA__)
#error "These headers are for clang's CUDA mode; nvcc has its own."
#endif

#include <stddef.h>

#include "host_defines.h"
#include "vector_types.h"

#include "device_launch_parameters.h"
#include "vector_functions.h"

#include "warpbook/host.h"

#include "warpbook/atomic.h"
#include "warpbook/float.h"
#include "warpbook/integer.h"
#include "warpbook/load.h"
#include "warpbook/math.h"
#include "warpbook/print.h"
#include "warpbook/sync.h"
#include "warpbook/warp.h"

/* Of the C library nvcc brings these along, too. They come last, so that what they declare for the
 * host stands beside the device's functions instead of before them. */
#if __has_include(<stdlib.h>) && __has_include(<string.h>)
#include <stdlib.h>
#include <string.h>
#endif
#include "assert.h"
