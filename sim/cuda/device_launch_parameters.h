/* device_launch_parameters.h - threadIdx, blockIdx, blockDim, gridDim and warpSize. */
#pragma once

#include "vector_types.h"

/* clang's header lacks nodebug, without which reading threadIdx.x would be shown on a line of that
 * header instead of the line that reads it. */
#define always_inline always_inline, nodebug
#include <__clang_cuda_builtin_vars.h>
#undef always_inline

#define __WARPBOOK_WHOLE(TYPE)                                                                     \
  __attribute__((always_inline, nodebug, device)) inline TYPE::operator uint3() const {            \
    return uint3{x, y, z};                                                                         \
  }                                                                                                \
  __attribute__((always_inline, nodebug, device)) inline TYPE::operator dim3() const {             \
    return dim3(x, y, z);                                                                          \
  }
__WARPBOOK_WHOLE(__cuda_builtin_threadIdx_t)
__WARPBOOK_WHOLE(__cuda_builtin_blockIdx_t)
__WARPBOOK_WHOLE(__cuda_builtin_blockDim_t)
__WARPBOOK_WHOLE(__cuda_builtin_gridDim_t)
#undef __WARPBOOK_WHOLE
