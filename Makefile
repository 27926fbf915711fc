# Warpbook. `make help` lists the targets; the README says which two you need.
MAKEFLAGS += -r # no built-in rules
BUILD   ?= build
CFLAGS  ?= -O2 -g
WARN     = -Wall -Wextra -Wpedantic $(if $(CI),-Werror)
ALL_CFLAGS = -std=gnu17 $(WARN) $(CFLAGS) $(SANITIZE) -Isim -MMD -MP -ffp-contract=off -fno-strict-aliasing \
  -DWARPBOOK_ROOT='"$(CURDIR)"' -DWARPBOOK_BUILD='"$(abspath $(BUILD))"'
LDLIBS   = -lm
Q        = $(if $(V),,@)# make V=1 shows the commands

# The library: every layer below the command line. The hot file sim/exec/lanes.c is built three
# times, for three instruction sets; sim/exec/lanes_pick.c chooses one at start.
objects  = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard $1))
LIB_OBJ  = $(filter-out %/lanes.o,$(call objects,$(addsuffix /*.c,$(addprefix sim/,base ptx exec timing view device)))) \
  $(LANES:%=$(BUILD)/obj/sim/exec/lanes.%.o)
LANES    = $(if $(wildcard sim/exec/lanes.c),plain avx2 avx512)
# Nobody looks at errno or at exceptions of arithmetic; results are the same, loops become vectors.
FLAGS_plain  = -O3 -fno-math-errno -fno-trapping-math
FLAGS_avx2   = $(FLAGS_plain) -mavx2 -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt -mf16c
FLAGS_avx512 = $(FLAGS_avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512

# What unpacks a class's archives is built where libarchive is; students do without.
UNPACK = $(if $(wildcard /usr/include/archive.h /usr/local/include/archive.h),$(BUILD)/unpack)
all: $(BUILD)/warpsim $(BUILD)/grade $(BUILD)/suites $(UNPACK) ## build the simulator and the grader
ifeq ($(BUILD),build)
	@ln -sfn build/warpsim warpsim && ln -sfn build/grade grade
endif

# ---- programs -----------------------------------------------------------------------------------

$(BUILD)/warpsim:   $(call objects,sim/cli/*.c) $(BUILD)/libgpu.a
$(BUILD)/sim-tests: $(call objects,sim/tests/*.c) $(BUILD)/libgpu.a
$(BUILD)/bench:     $(call objects,sim/bench/*.c) $(BUILD)/libgpu.a
$(BUILD)/ops:       $(call objects,sim/report/ops.c sim/tests/ops_check.c) $(BUILD)/libgpu.a
$(BUILD)/fidelity:  $(call objects,sim/report/fidelity.c)
$(BUILD)/sim-tests: LDLIBS := -lcriterion $(LDLIBS)
$(BUILD)/warpsim:   LDLIBS := -lncurses $(LDLIBS)

# The grader: `grade` runs `suites`, the labs' Criterion suites, as a process apart.
GRADER_OBJ = $(filter-out %/main.o,$(call objects,grader/*.c)) $(call objects,sim/cli/text.c sim/cli/element.c)
$(BUILD)/grade:        $(GRADER_OBJ) $(BUILD)/obj/grader/main.o $(BUILD)/libgpu.a
# A students' release has the suites as an object file, for their source says what is right.
SUITES_OBJ = $(call objects,grader/suites/*.c) $(wildcard grader/suites-$(shell uname -m).o)
$(BUILD)/suites:       $(SUITES_OBJ) $(GRADER_OBJ) $(BUILD)/libgpu.a
$(BUILD)/grader-tests: $(call objects,grader/tests/*.c) $(GRADER_OBJ) $(BUILD)/libgpu.a
$(BUILD)/unpack:       $(call objects,grader/unpack/*.c) $(GRADER_OBJ) $(BUILD)/libgpu.a
$(BUILD)/unpack:       LDLIBS := -larchive $(LDLIBS)
$(BUILD)/suites:       LDLIBS := -lcriterion $(LDLIBS)
$(BUILD)/grader-tests: LDLIBS := -lcriterion -larchive $(LDLIBS)

PROGRAMS = $(addprefix $(BUILD)/,warpsim sim-tests bench ops fidelity grade suites unpack grader-tests dictionary)
$(PROGRAMS): $(BUILD)/sources.txt
	@echo "  link    $@"
	$(Q)$(CC) $(SANITIZE) -o $@ $(filter %.o %.a,$^) $(LDLIBS)
$(BUILD)/libgpu.a: $(LIB_OBJ) $(BUILD)/sources.txt
	@echo "  library $@"
	$(Q)rm -f $@ && ar rcs $@ $(LIB_OBJ)
$(LANES:%=$(BUILD)/obj/sim/exec/lanes.%.o): $(BUILD)/obj/sim/exec/lanes.%.o: sim/exec/lanes.c $(BUILD)/flags.txt
	@mkdir -p $(@D) && echo "  cc      $< ($*)"
	$(Q)$(CC) $(ALL_CFLAGS) $(FLAGS_$*) -DLANES_BUILD=$* -c $< -o $@
$(BUILD)/obj/%.o: %.c $(BUILD)/flags.txt
	@mkdir -p $(@D) && echo "  cc      $<"
	$(Q)$(CC) $(ALL_CFLAGS) -c $< -o $@
-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

# Two files that change only when their text does, so that new flags or a vanished source rebuild.
text_flags   = $(CC) $(ALL_CFLAGS) $(FLAGS_plain) $(FLAGS_avx512)
text_sources = $(sort $(wildcard sim/*/*.c grader/*.c grader/*/*.c)) $(SANITIZE)
$(BUILD)/flags.txt $(BUILD)/sources.txt: $(BUILD)/%.txt: FORCE
	@mkdir -p $(@D); t='$(subst ','\'',$(text_$*))'; echo "$$t" | cmp -s - $@ || echo "$$t" >$@

# ---- the two commands ---------------------------------------------------------------------------

course: ## install what is needed; build the simulator, the labs' grades, the figures and the book
	@.ci/install build book
	@MAKE='$(MAKE)' JOBS='$(JOBS)' BUILD='$(BUILD)' .ci/course
check: ## install what is needed; run every test; the last line is "N passed, M failed"
	@.ci/install build book class
	@$(MAKE) --no-print-directory $(JOBS) all $(TESTS) $(if $(BROWSER),book)
	@BUILD='$(BUILD)' .ci/check $(TESTS) chapters/tests/run $(BROWSER) grader/platforms/tests/run grader/hosts/tests/run .ci/tests/run
selfcheck: all $(BUILD)/grader-tests ## the grader's own proof: solutions, starters, known mistakes, attacks (part of check)
	@BUILD='$(BUILD)' .ci/selfcheck
JOBS  = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
TESTS = $(addprefix $(BUILD)/,sim-tests grader-tests)
BROWSER = $(if $(shell command -v chromium),chapters/tests/browser sim/tests/browser)# the pages, where there is a Chromium

# ---- what students and platforms get -------------------------------------------------------------

student-release: all ## what students get: build/release/warpbook-student.tar.gz
	@.ci/install class
	@BUILD='$(BUILD)' grader/platforms/pack student
gradescope: ## a lab for Gradescope: make gradescope LAB=partition [KEY=FILE]
autolab: ## a lab for Autolab: make autolab LAB=partition [KEY=FILE]
prairielearn: ## a lab for PrairieLearn: make prairielearn LAB=partition [KEY=FILE]
github-classroom: ## a lab for GitHub Classroom: make github-classroom LAB=partition
gradescope autolab prairielearn github-classroom: all
	@.ci/install class
	@BUILD='$(BUILD)' KEY='$(KEY)' grader/platforms/pack $@ $(LAB)

# ---- figures and book ---------------------------------------------------------------------------

FIGURES = $(patsubst plots/%.gp,$(BUILD)/plots/%.svg,$(filter-out plots/style.gp,$(wildcard plots/*.gp)))
DATA = $(addprefix chapters/filter/,figure.lua evidence.lua json.lua)
plots: $(FIGURES) ## draw every figure: build/plots/NAME.svg, .png and .tsv
$(BUILD)/plots/%.svg: plots/%.gp plots/style.gp plots/draw plots/data.lua $(DATA) $(BUILD)/warpsim
	@echo "  draw    $@"
	$(Q)BUILD='$(BUILD)' plots/draw $*
plot: all ## draw one figure with other numbers: make plot NAME=partition ARGS="--block 48"
	@BUILD='$(BUILD)' KEYS='$(KEYS)' plots/draw "$(NAME)" $(ARGS)
-include $(wildcard $(BUILD)/plots/*.d)

book: ## the book as a web site, build/book/index.html, and as an EPUB
	@$(MAKE) --no-print-directory $(JOBS) pages EDITION=book
book-instructor: ## the same with the solutions of all exercises, build/book-instructor
	@$(MAKE) --no-print-directory $(JOBS) pages EDITION=book-instructor
epub: ## the book as an EPUB, build/book/warpbook.epub
	@$(MAKE) --no-print-directory $(JOBS) all plots && $(MAKE) --no-print-directory $(JOBS) $(BUILD)/book/warpbook.epub
pdf: ## the book as a PDF, build/book/warpbook.pdf; installs Chromium if it is missing
	@.ci/install pdf
	@$(MAKE) --no-print-directory $(JOBS) all plots && $(MAKE) --no-print-directory $(JOBS) $(BUILD)/book/warpbook.pdf
EDITION ?= book
SITE     = $(BUILD)/$(EDITION)
CACHE    = $(BUILD)/book-cache
CHAPTERS = $(filter-out README,$(patsubst chapters/%.md,%,$(wildcard chapters/*.md)))
LABELS   = $(CHAPTERS:%=$(CACHE)/labels/%.tsv)
PAGES    = $(CHAPTERS:%=$(SITE)/%.html)
PARTS    = $(patsubst %,$(CACHE)/$(EDITION)/%.json,index $(filter-out index,$(CHAPTERS)))
FILTER   = chapters/weave $(wildcard chapters/filter/*)
# A chapter's labels change more seldom than its text, and only then do other pages change.
$(CACHE)/%.seen: chapters/%.md $(FILTER) chapters/glossary.tsv
	@BUILD='$(BUILD)' chapters/weave labels $* && touch $@
$(CACHE)/labels/%.tsv: $(CACHE)/%.seen ; @:
WOVEN = $(FILTER) $(LABELS) $(wildcard chapters/html/* chapters/quiz/*) $(BUILD)/warpsim $(FIGURES)
$(SITE)/%.html $(CACHE)/$(EDITION)/%.json: chapters/%.md $(WOVEN)
	@echo "  weave   $(SITE)/$*.html"
	@BUILD='$(BUILD)' chapters/weave page $(EDITION) $*
BESIDE = $(SITE)/style.css $(SITE)/site.js
$(BESIDE): $(SITE)/%: chapters/html/%
	@mkdir -p $(@D) && cp $< $@
$(SITE)/warpbook.epub $(SITE)/warpbook.pdf: $(SITE)/warpbook.%: $(PARTS)
	@echo "  weave   $@"
	@BUILD='$(BUILD)' PARTS='$(PARTS)' chapters/weave $* $(EDITION)
# The search's index: what each page notes about its sections.
SECTIONS = $(CHAPTERS:%=$(CACHE)/$(EDITION)/%.js)
$(SITE)/search.js: $(PAGES)
	@{ echo 'var warpbook_index = ['; cat $(SECTIONS); echo '];'; } >$@
pages: all plots $(PAGES) $(BESIDE) $(SITE)/search.js $(SITE)/warpbook.epub
	@BUILD='$(BUILD)' chapters/weave check $(EDITION)
	@rm -f $(filter-out $(PAGES),$(wildcard $(SITE)/*.html))
-include $(wildcard $(CACHE)/$(EDITION)/*.d)

# ---- for those who change the code --------------------------------------------------------------

CODE = $(filter-out sim/cuda/%,$(wildcard sim/*.h sim/*/*.[ch] grader/*.[ch] grader/*/*.[ch]))
lint: ## clang-format, clang-tidy and cppcheck; clean or an error
	@.ci/install lint
	@.ci/lint $(CODE)
test-c: ## every test of the C code (part of check)
	@.ci/install build class
	@$(MAKE) --no-print-directory $(JOBS) all $(TESTS)
	@BUILD='$(BUILD)' .ci/check $(TESTS)
asan: ## the same under the address and undefined-behaviour sanitizers; each attack in one way only
	@WARPBOOK_BRIEF=1 $(MAKE) --no-print-directory test-c BUILD='$(BUILD)/asan' CFLAGS='-O1 -g' \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
format: ## lay out the C code as .clang-format says
	clang-format -i $(CODE)
ops: $(BUILD)/ops ## every instruction form beside an H200's results
	$(BUILD)/ops
HARDWARE = sim/tests/hardware
fidelity: all $(BUILD)/fidelity ## cycles beside an H200's: errors by kernel and family; build/fidelity-out/*.svg
	@mkdir -p $(BUILD)/fidelity-out
	$(Q)for s in "cases kernels timing cases" "apps-cases apps apps-timing apps"; do set -- $$s; \
	  echo; echo "#### $$2: $(HARDWARE)/$$1.tsv"; \
	  $(BUILD)/warpsim batch $(HARDWARE)/$$1.tsv --module $(HARDWARE)/$$2-nvcc.ptx --arch h200 \
	    --timing $(BUILD)/fidelity-out/$$4-simulated.tsv --jobs $$(nproc) && \
	  $(BUILD)/fidelity $(HARDWARE)/h200/$$3.tsv $(BUILD)/fidelity-out/$$4-simulated.tsv \
	    $(BUILD)/fidelity-out/$$4.tsv || exit 1; done
	$(Q)for f in fidelity fidelity-curves; do for form in svg png; do gnuplot -e "form='$$form'; \
	  data='$(BUILD)/fidelity-out/cases.tsv'; file='$(BUILD)/fidelity-out/$$f.$$form'" \
	  plots/style.gp plots/$$f.gnuplot || exit 1; done; done
	@echo; echo "drawn: $(BUILD)/fidelity-out/fidelity.svg, fidelity-curves.svg (and .png)"
bench: $(BUILD)/bench ## warp instructions a second
	$(BUILD)/bench
# The fuzzer is a build of its own, by clang: make fuzz SECONDS=600. Findings stay in build/fuzz/.
FUZZ    = $(BUILD)/fuzz
SECONDS ?= 60
fuzz: ## feed damaged PTX to loader and executor for SECONDS (60)
	@.ci/install fuzz
	@$(MAKE) --no-print-directory $(FUZZ)/fuzz BUILD='$(FUZZ)' CC=clang CFLAGS='-O1 -g' \
	  SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined'
	@sim/fuzz/run '$(FUZZ)' $(SECONDS)
$(BUILD)/fuzz:       $(call objects,sim/fuzz/fuzz_launch.c) $(BUILD)/dictionary $(BUILD)/libgpu.a
	@echo "  link    $@"
	$(Q)$(CC) -fsanitize=fuzzer,address,undefined -o $@ $(filter %.o %.a,$^) $(LDLIBS)
$(BUILD)/dictionary: $(call objects,sim/fuzz/dictionary.c) $(BUILD)/libgpu.a
clean: ## remove everything that was built
	rm -rf $(BUILD) warpsim grade
help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' Makefile

.SECONDARY: # keep the .seen files
FORCE:
.PHONY: all course check selfcheck student-release gradescope autolab prairielearn github-classroom plots plot book book-instructor epub pdf pages lint test-c asan format ops fidelity bench fuzz clean help FORCE
