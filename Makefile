# Warpbook. `make help` lists the targets; the README says which two you need.
BUILD   ?= build
CC      ?= gcc
CFLAGS  ?= -O2 -g
WARN     = -Wall -Wextra -Wpedantic $(if $(CI),-Werror)
ALL_CFLAGS = -std=gnu17 $(WARN) $(CFLAGS) $(SANITIZE) -Isim -MMD -MP -ffp-contract=off -fno-strict-aliasing \
  -DWARPBOOK_ROOT='"$(CURDIR)"' -DWARPBOOK_BUILD='"$(abspath $(BUILD))"'
LDLIBS   = -lm

# The library: every layer below the command line. The hot file sim/exec/lanes.c is built three
# times, for three instruction sets; sim/exec/lanes_pick.c chooses one at start.
LIB_SRC  = $(filter-out sim/exec/lanes.c,$(wildcard $(addsuffix /*.c,$(addprefix sim/,base ptx exec timing view device))))
LIB_OBJ  = $(LIB_SRC:%.c=$(BUILD)/obj/%.o) $(LANES:%=$(BUILD)/obj/sim/exec/lanes.%.o)
LANES    = $(if $(wildcard sim/exec/lanes.c),plain avx2 avx512)
FLAGS_plain  = -O3
FLAGS_avx2   = -O3 -mavx2 -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt -mf16c
FLAGS_avx512 = $(FLAGS_avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512
CLI_OBJ  = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard sim/cli/*.c))
TEST_OBJ = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard sim/tests/*.c))

all: $(BUILD)/warpsim
	@ln -sfn $(BUILD)/warpsim warpsim

$(BUILD)/libgpu.a: $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $(LIB_OBJ)
$(BUILD)/warpsim: $(CLI_OBJ) $(BUILD)/libgpu.a
	$(CC) $(SANITIZE) -o $@ $(CLI_OBJ) $(BUILD)/libgpu.a $(LDLIBS)
$(BUILD)/sim-tests: $(TEST_OBJ) $(BUILD)/libgpu.a
	$(CC) $(SANITIZE) -o $@ $(TEST_OBJ) $(BUILD)/libgpu.a -lcriterion $(LDLIBS)

$(BUILD)/obj/sim/exec/lanes.%.o: sim/exec/lanes.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(FLAGS_$*) -DLANES_BUILD=$* -c $< -o $@
$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
.PHONY: all
