/* device/occupancy_api.c - the occupancy calculator for gpu.h. */
#include "timing/occupancy.h"

#include "device/device.h"

gpu_result gpu_occupancy(gpu_device *dev, uint32_t registers, uint32_t block, uint64_t shared_bytes,
                         gpu_occupancy_info *out) {
  if (block == 0) return device_fail(dev, GPU_BAD_INPUT, "a block has at least one thread");
  OccupancyQuery query = {.registers = registers, .block = block, .shared = shared_bytes};
  occupancy_explain(&dev->arch, query, out);
  return GPU_OK;
}
