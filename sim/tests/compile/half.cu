// Half precision and bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void halves(__half *p, half2 *q, float *f) {
  __shared__ __half s[32];
  int i = threadIdx.x;
  s[i] = p[i] * __float2half(2.0f) + p[0] - p[1] / p[2];
  __syncthreads();
  if (s[i] > p[1]) p[i] = hexp(s[i]);
  if (__hlt(s[i], p[3]) | __heq(p[0], p[1]) | __hisnan(p[2])) p[i] = hsqrt(p[i]);
  q[i] = __hfma2(q[0], q[1], __float2half2_rn(1.0f)); q[i] = __hadd2(__hmul2(q[2], q[3]), __hsub2(q[4], q[5])); q[1] = __hmax2(q[1], q[2]);
  f[i] = __half2float(s[i]) + __low2float(q[0]) + __high2float(q[0]) + __half22float2(q[3]).x + (float)p[0];
  p[i] = __shfl_down_sync(~0u, p[i], 3); q[i] = __shfl_xor_sync(~0u, q[i], 3);
  atomicAdd(p, p[3]); atomicAdd(q, q[3]);
  p[3] = 1.0f; p[4] = 3; p[5] = __ldg(p + 4); p[6] = __int2half_rn(i); f[3] = __half2int_rz(p[2]); p[7] = -p[7];
  p[8] = __hfma(p[0], p[1], p[2]); p[9] = __hmin(p[0], __habs(p[1])); p[10] = __ushort_as_half(3); f[4] = __half_as_short(p[3]);
  q[4] = __halves2half2(p[0], p[1]); q[5] = __half2half2(p[0]); q[6] = q[4] + q[5] * q[6]; p[11] = __low2half(q[0]); p[12] = hrcp(p[3]); q[7] = h2exp(q[6]);
}
extern "C" __global__ void brains(__nv_bfloat16 *b, __nv_bfloat162 *q, float *f) {
  int i = threadIdx.x;
  b[i] = b[i] + b[1] * b[2] - b[3] / b[4]; b[i] += b[4];
  if (b[i] < b[0]) b[i] = __float2bfloat16(1.0f);
  f[i] = __bfloat162float(b[0]) + (float)b[1];
  b[i] = __shfl_xor_sync(~0u, b[i], 3); q[i] = __hfma2(q[0], q[1], q[2]); q[1] = __hadd2(q[0], q[1]);
  atomicAdd(b, b[3]); q[3] = __floats2bfloat162_rn(f[0], f[1]); b[5] = __low2bfloat16(q[3]); q[4] = __bfloat162bfloat162(b[0]);
}
