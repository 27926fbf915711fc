/* device_atomic_functions.h - CUDA has a header of this name; what is in it is always there. */
#pragma once
#include "cuda_runtime.h"
