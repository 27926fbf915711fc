// Vector types: each copy is one access, whether whole or in part; structs of them pass by value.
extern "C" __global__ void copy(float4 *o, const float4 *p) { int i = threadIdx.x; o[i] = p[i]; }
extern "C" __global__ void copy2(float4 *o, const float4 *p) { int i = threadIdx.x; float4 v = p[i]; o[i] = v; }
extern "C" __global__ void all4(float4 *o, const float4 *p) { int i = threadIdx.x; float4 v = p[i]; v.x += 1; v.y += 2; v.z += 3; v.w *= 2; o[i] = v; }
extern "C" __global__ void sum(float *o, const float4 *p) { int i = threadIdx.x; float4 v = p[i]; o[i] = v.x + v.y + v.z + v.w; }
extern "C" __global__ void some(float4 *o, const float4 *p) { int i = threadIdx.x; float4 v = p[i]; v.x += 1; v.w *= 2; o[i] = v; }
extern "C" __global__ void mk(float4 *o, float a) { int i = threadIdx.x; o[i] = make_float4(a, 1, 2, 3); }
extern "C" __global__ void cast(float *o, const float *p) { int i = threadIdx.x; float4 v = reinterpret_cast<const float4 *>(p)[i]; reinterpret_cast<float4 *>(o)[i] = v; float2 w = *(float2 *)(p + 2 * i); o[2 * i] = w.x + w.y; }
struct Particle { float4 pos, vel; int id; };
union Both { float4 v; float a[4]; };
__constant__ float4 table[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}}; __device__ float2 pair = {1, 2}; __constant__ int4 one = {1};
__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float4 &operator+=(float4 &a, const float4 &b) { a = a + b; return a; }
extern "C" __global__ void byvalue(Particle p, float4 *o, float4 q, char4 c, double2 d) { o[0] = p.pos; o[1] = q; o[2].x = c.x + p.id + d.y; }
extern "C" __global__ void k(Particle *p, float4 *o, int *n) { __shared__ float4 s[32]; extern __shared__ float2 dyn[]; int i = threadIdx.x;
  Particle q = p[i]; q.pos += q.vel; p[i] = q; s[i] = o[i]; __syncthreads(); Both b; b.v = s[31 - i]; o[i].x = b.a[0]; atomicAdd(&o[i].y, b.a[1]);
  float4 z = {}; float4 acc = {0}; float2 f = {1, 2}; acc += z + table[i & 1]; o[i] = acc; dyn[i] = f; int4 w = one; n[0] = w.x; float4 arr[3]; arr[n[1]] = z; o[5] = arr[n[2]]; 
  const float4 *in = o; float4 r = __ldg(in + 3); o[6] = r; o[7] = true ? r : z; if (n[3]) { r = z; } o[8] = r; uchar4 u = make_uchar4(1,2,3,4); ((uchar4 *)n)[9] = u; short2 h; h.x = 1; h.y = 2; ((short2 *)n)[8] = h; static_assert(sizeof(Particle) == 48 && alignof(float4) == 16 && sizeof(float4) == 16 && alignof(float2) == 8, ""); }
int main() { float4 v = make_float4(1, 2, 3, 4), w; w = v; float4 a[2] = {{1, 2, 3, 4}, v}; Particle p; p.pos = v; byvalue<<<1, 1>>>(p, 0, w, char4(), double2()); return (int)a[1].x; }
