// Every intrinsic of the course's headers at least once, for every type that has it.
#define T_KERNEL(name) extern "C" __global__ void name
#define SHUFFLES(T, v) r += (float)__shfl_sync(m, (T)v, 3); r += (float)__shfl_up_sync(m, (T)v, 1, 16); \
  r += (float)__shfl_down_sync(m, (T)v, 2, 8); r += (float)__shfl_xor_sync(m, (T)v, 4);
T_KERNEL(shuffles)(float *o, unsigned m) {
  float r = 0, v = o[threadIdx.x];
  SHUFFLES(int, v) SHUFFLES(unsigned, v) SHUFFLES(long, v) SHUFFLES(unsigned long, v) SHUFFLES(long long, v)
  SHUFFLES(unsigned long long, v) SHUFFLES(float, v) SHUFFLES(double, v)
  o[threadIdx.x] = r;
}
T_KERNEL(one_shuffle)(int *o) { o[threadIdx.x] = __shfl_xor_sync(0xffffffffu, o[threadIdx.x], 1); }
T_KERNEL(votes)(unsigned *o, unsigned m, int p) {
  int all;
  o[0] = __ballot_sync(m, p); o[1] = __any_sync(m, p); o[2] = __all_sync(m, p); o[3] = __uni_sync(m, p); o[4] = __activemask();
  o[5] = __match_any_sync(m, p) + __match_any_sync(m, 2u) + __match_any_sync(m, 3l) + __match_any_sync(m, 3ul) + __match_any_sync(m, 4ll) +
         __match_any_sync(m, 5ull) + __match_any_sync(m, 6.0f) + __match_any_sync(m, 7.0);
  o[6] = __match_all_sync(m, p, &all) + all + __match_all_sync(m, 2u, &all) + __match_all_sync(m, 4ll, &all) + __match_all_sync(m, 5ull, &all) +
         __match_all_sync(m, 6.0f, &all) + __match_all_sync(m, 7.0, &all);
  o[7] = __reduce_add_sync(m, p) + __reduce_add_sync(m, 3u) + __reduce_min_sync(m, p) + __reduce_min_sync(m, 3u) + __reduce_max_sync(m, p) +
         __reduce_max_sync(m, 3u) + __reduce_and_sync(m, 3u) + __reduce_or_sync(m, 3u) + __reduce_xor_sync(m, 3u);
  __syncwarp(); __syncwarp(m);
}
T_KERNEL(barriers)(long long *o, int p) {
  __syncthreads(); o[0] = __syncthreads_count(p); o[1] = __syncthreads_and(p); o[2] = __syncthreads_or(p);
  __threadfence(); __threadfence_block(); __threadfence_system();
  o[3] = clock(); o[4] = clock64(); __nanosleep(100); if (p == 77) __trap(); if (p == 78) __brkpt();
}
#define ATOMICS(T, p) atomicAdd(p, (T)1); atomicAdd_block(p, (T)1); atomicAdd_system(p, (T)1); atomicExch(p, (T)2); atomicExch_block(p, (T)2); atomicExch_system(p, (T)2);
#define INTEGERS(T, p) atomicMin(p, (T)1); atomicMin_block(p, (T)1); atomicMin_system(p, (T)1); atomicMax(p, (T)1); atomicMax_block(p, (T)1); atomicMax_system(p, (T)1);
#define BITS(T, p) atomicAnd(p, (T)1); atomicOr(p, (T)1); atomicXor(p, (T)1); atomicAnd_block(p, (T)1); atomicOr_block(p, (T)1); atomicXor_block(p, (T)1); \
  atomicAnd_system(p, (T)1); atomicOr_system(p, (T)1); atomicXor_system(p, (T)1); atomicCAS(p, (T)1, (T)2); atomicCAS_block(p, (T)1, (T)2); atomicCAS_system(p, (T)1, (T)2);
T_KERNEL(atomics)(int *i, unsigned *u, unsigned long long *ull, long long *ll, float *f, double *d, unsigned short *h) {
  __shared__ int s;
  ATOMICS(int, i) ATOMICS(unsigned, u) ATOMICS(unsigned long long, ull) ATOMICS(float, f)
  atomicAdd(d, 1.0); atomicAdd_block(d, 1.0); atomicAdd_system(d, 1.0);
  INTEGERS(int, i) INTEGERS(unsigned, u) INTEGERS(unsigned long long, ull) INTEGERS(long long, ll)
  BITS(int, i) BITS(unsigned, u) BITS(unsigned long long, ull)
  atomicInc(u, 3u); atomicDec(u, 3u); atomicInc_block(u, 3u); atomicDec_system(u, 3u);
  atomicSub(i, 1); atomicSub(u, 1u); atomicSub_block(i, 1); atomicSub_system(u, 1u);
  atomicCAS(h, (unsigned short)1, (unsigned short)2);
  atomicAdd(&s, 1);
}
#define LOADS(T) { const T *p = (const T *)q; T *w = (T *)q + 64; w[0] = __ldg(p); w[1] = __ldca(p); w[2] = __ldcg(p); w[3] = __ldcs(p); w[4] = __ldcv(p); w[5] = __ldlu(p); \
  __stwb(w + 6, *p); __stcg(w + 7, *p); __stcs(w + 8, *p); __stwt(w + 9, *p); }
T_KERNEL(loads)(char *q) {
  LOADS(char) LOADS(signed char) LOADS(unsigned char) LOADS(short) LOADS(unsigned short) LOADS(int) LOADS(unsigned) LOADS(long) LOADS(unsigned long)
  LOADS(long long) LOADS(unsigned long long) LOADS(float) LOADS(double) LOADS(char2) LOADS(char4) LOADS(uchar2) LOADS(uchar4) LOADS(short2) LOADS(short4)
  LOADS(ushort2) LOADS(ushort4) LOADS(int2) LOADS(int4) LOADS(uint2) LOADS(uint4) LOADS(longlong2) LOADS(ulonglong2) LOADS(float2) LOADS(float4) LOADS(double2)
}
T_KERNEL(integers)(int *o, int a, int b, unsigned u, unsigned v, long long l, unsigned long long ul) {
  int i = 0;
  o[i++] = __popc(u) + __popcll(ul) + __clz(a) + __clzll(l) + __ffs(a) + __ffsll(l) + __brev(u) + (int)__brevll(ul) + __fns(u, v, a);
  o[i++] = __byte_perm(u, v, 0x3210) + __funnelshift_l(u, v, a) + __funnelshift_lc(u, v, a) + __funnelshift_r(u, v, a) + __funnelshift_rc(u, v, a);
  o[i++] = __mul24(a, b) + __umul24(u, v) + __mulhi(a, b) + __umulhi(u, v) + (int)__mul64hi(l, l) + (int)__umul64hi(ul, ul) + __sad(a, b, u) + __usad(u, v, u);
  o[i++] = __hadd(a, b) + __uhadd(u, v) + __rhadd(a, b) + __urhadd(u, v);
  o[i++] = __dp4a(a, b, a) + __dp4a(u, v, u) + __dp2a_lo(a, b, a) + __dp2a_lo(u, v, u) + __dp2a_hi(a, b, a) + __dp2a_hi(u, v, u);
  o[i++] = __dp4a(make_char4(1, 2, 3, 4), make_char4(1, 2, 3, 4), 0);
  o[i++] = min(a, b) + max(a, b) + min(u, v) + max(u, v) + (int)min(l, l) + (int)max(ul, ul) + min(a, u) + (int)max(l, ul) + abs(a) + (int)abs(l) + (int)llabs(l) + (int)labs((long)l);
  o[i++] = __isGlobal(o) + __isShared(o) + __isLocal(o) + __isConstant(o) + (int)__cvta_generic_to_global(o) + warpSize;
}
#define MODES1(f, a) f##_rn(a) + f##_rz(a) + f##_rd(a) + f##_ru(a)
#define MODES2(f, a, b) f##_rn(a, b) + f##_rz(a, b) + f##_rd(a, b) + f##_ru(a, b)
#define MODES3(f, a, b, c) f##_rn(a, b, c) + f##_rz(a, b, c) + f##_rd(a, b, c) + f##_ru(a, b, c)
T_KERNEL(floats)(float *o, float a, float b, double x, double y) {
  int i = 0; float s, c;
  o[i++] = MODES2(__fadd, a, b) + MODES2(__fsub, a, b) + MODES2(__fmul, a, b) + MODES2(__fdiv, a, b) + MODES3(__fmaf, a, b, a) + MODES1(__frcp, a) + MODES1(__fsqrt, a);
  o[i++] = (float)(MODES2(__dadd, x, y) + MODES2(__dsub, x, y) + MODES2(__dmul, x, y) + MODES2(__ddiv, x, y) + MODES3(__fma, x, y, x) + MODES1(__drcp, x) + MODES1(__dsqrt, x));
  __sincosf(a, &s, &c);
  o[i++] = __frsqrt_rn(a) + __fdividef(a, b) + __saturatef(a) + __sinf(a) + __cosf(a) + __tanf(a) + __expf(a) + __exp10f(a) + __logf(a) + __log2f(a) + __log10f(a) + __powf(a, b) + s + c;
  o[i++] = MODES1(__float2int, a) + MODES1(__float2uint, a) + MODES1(__float2ll, a) + MODES1(__float2ull, a) + MODES1(__double2int, x) + MODES1(__double2uint, x) + MODES1(__double2ll, x) + MODES1(__double2ull, x);
  o[i++] = MODES1(__int2float, i) + MODES1(__uint2float, 3u) + MODES1(__ll2float, 4ll) + MODES1(__ull2float, 5ull) + (float)(MODES1(__ll2double, 4ll) + MODES1(__ull2double, 5ull) + __int2double_rn(i) + __uint2double_rn(3u)) + MODES1(__double2float, x);
  o[i++] = __int_as_float(__float_as_int(a)) + __uint_as_float(__float_as_uint(b)) + (float)__longlong_as_double(__double_as_longlong(x)) + (float)__hiloint2double(__double2hiint(x), __double2loint(y));
}
T_KERNEL(vectors)(float4 *o, int4 *p, double2 *d, uchar4 *c) {
  o[threadIdx.x] = make_float4(1, 2, 3, 4); p[1] = make_int4(p[0].x, p[0].y, 3, 4); d[0] = make_double2(1, 2); c[0] = make_uchar4(1, 2, 3, 4);
  float3 t = make_float3(1, 2, 3); o[0].x = t.x + sizeof(float3) + alignof(float4) + sizeof(double4); uint3 i = threadIdx; dim3 g = gridDim; o[1].x = i.x + g.y + blockIdx.z;
}
T_KERNEL(printing)(int *o, int n) { printf("%d of %d: %s %f\n", o[0], n, "text", 1.5f); assert(n > 0); }
T_KERNEL(allocating)(int **o) { o[0] = (int *)malloc(16); free(o[1]); o[2] = new int[4]; delete[] o[3]; memcpy(o, o + 4, 16); memset(o + 8, 0, 8); }
T_KERNEL(own_assembly)(int *o, int a) {
  int r; asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 3; @p add.s32 %0, %1, 1; @!p mov.s32 %0, %1; }" : "=r"(r) : "r"(a)); o[0] = r; }
__global__ void __launch_bounds__(128, 2) bounded(int *o) { extern __shared__ int dynamic[]; __shared__ float fixed[32]; dynamic[threadIdx.x] = o[0]; fixed[threadIdx.x & 31] = 1; __syncthreads(); o[1] = dynamic[3] + fixed[2]; }
__constant__ float table[16]; __device__ int counter = 3; __device__ __managed__ int managed;
T_KERNEL(variables)(float *o) { o[0] = table[threadIdx.x & 15] + atomicAdd(&counter, 1) + managed; }
template <class T> __device__ __forceinline__ T twice(T v) { return v + v; }
__device__ __noinline__ float apart(float v) { return v * 3; }
__host__ __device__ int both(int v) { return v + 1; }
T_KERNEL(calls)(float *o, const float *__restrict__ in) { o[0] = twice(in[0]) + apart(in[1]) + both(3); }
// Not called by any kernel: the course's graders call such functions by name.
__device__ int left_over(int a, int b) { return a * b; }
extern "C" __device__ unsigned plain_name(unsigned v) { return v ^ 1u; }
