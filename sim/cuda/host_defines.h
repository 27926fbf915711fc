/* host_defines.h - CUDA's keywords as clang's attributes. */
#pragma once

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

/* The course's own functions: `static`, so that only those in use reach the PTX. */
#define __WARPBOOK_DEVICE static __inline__ __attribute__((always_inline, nodebug, device))
#define __WARPBOOK_BOTH static __inline__ __attribute__((always_inline, nodebug, host, device))
#define __WARPBOOK_MEMBER __attribute__((always_inline, nodebug, host, device))
