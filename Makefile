# Inlay. `make` builds the command and both libraries into build/, `make check` runs every test.
#
# Yours to set: CC CPPFLAGS CFLAGS LDFLAGS PREFIX LIBDIR DESTDIR BUILD (the build directory), STRIP (`STRIP=:` installs
# with symbols), RPATH (where the command looks for its library; none with `RPATH=`);
# HARDENING (what makes a defect harder to use, `HARDENING=` for none);
# for another machine also LD AR OBJCOPY PKG_CONFIG, and HOSTCC, the compiler of the programs that run during the
# build (tests/long/aarch64.sh is an example). A change of compiler or flags rebuilds what depends on it. `make
# CFLAGS=-g` has symbols for a debugger. V=1 shows the commands.

# The compiler of this machine, whatever its name is, where the user has named none.
NATIVE_CC := $(or $(firstword $(foreach c,cc gcc clang,$(if $(shell command -v $(c)),$(c)))),cc)
ifeq ($(origin CC),default)
CC := $(NATIVE_CC)
endif

# Relative where it is in the checkout, whose path may have spaces; | stands for its beginning.
within = $(subst |,,$(subst |$(CURDIR)/,,|$(1)))
BUILD ?= build
override BUILD := $(call within,$(abspath $(call within,$(BUILD))))
ifneq ($(words $(BUILD)),1)
$(error the build directory "$(BUILD)" has spaces in its path, which make cannot handle; one in the checkout may have them in the path of the checkout)
endif
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
RPATH ?= $$ORIGIN:$$ORIGIN/../lib
comma := ,
HOSTCC ?= $(NATIVE_CC)
STRIP ?= strip
OBJCOPY ?= objcopy
PKG_CONFIG ?= pkg-config
PROTOC_C ?= protoc-c
# One source of truth: ir/version.h.
VERSION := $(shell sed -n 's/^\#define INLAY_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' ir/version.h | paste -s -d .)
SONAME := libinlay.so.1

# ---- sources ----

# Every room of the folders, at any depth: a new file needs no line here.
sources = $(foreach path,$(wildcard $(1)/*),$(if $(filter %.c,$(path)),$(path),$(call sources,$(path))))
MODULE_SRC := $(wildcard interp/onednn/*.c)
LIB_SRC := $(filter-out ir/ops/opgen.c passes/rules/rulegen.c $(MODULE_SRC),$(foreach folder,ir parser passes interp generate front,$(call sources,$(folder))))
CLI_SRC := $(wildcard cli/*.c)
CHECK_SRC := $(wildcard check/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/parser/onnx/onnx.pb-c.o
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/obj/%.o)
CHECK_OBJ := $(CHECK_SRC:%.c=$(BUILD)/obj/%.o)
MODULE_OBJ := $(MODULE_SRC:%.c=$(BUILD)/obj/%.o)
RULE_FILES := $(sort $(wildcard passes/rules/*.rules))
# What lies in ir/ itself is public but for shared.h, which its siblings include.
PUBLIC_HEADERS := inlay.h front/front.h $(filter-out ir/shared.h,$(wildcard ir/*.h)) parser/parser.h interp/interp.h interp/kernel.h passes/passes.h generate/generate.h

# tests/unit/test_*.c are programs; the other files beside them are linked into each of them. `make tests` links them as
# one (tests/units.c), but for those that have an allocator of their own or take arguments.
UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_ALONE := test_allocations test_budgets test_onnx_memory test_prove_memory test_scaling test_symbolic
UNIT_NAMES := $(filter-out $(UNIT_ALONE),$(UNIT_SRC:tests/unit/%.c=%))
UNIT_HELP := $(filter-out $(UNIT_SRC),$(wildcard tests/unit/*.c))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/%)
UNIT_HELP_OBJ := $(UNIT_HELP:%.c=$(BUILD)/obj/%.o)

# ---- flags ----

# What is linked, and what is opened when it is needed (parser/xml/library.h) and has headers only.
PACKAGES := libcjson zlib libprotobuf-c
# Pictures are read where their libraries are there.
PICTURES := $(strip $(foreach p,libpng libjpeg libwebp libopenjp2,\
	$(shell $(PKG_CONFIG) --exists $(p) 2>/dev/null && echo $(p))) \
	$(shell $(PKG_CONFIG) --atleast-version=4.5 libtiff-4 2>/dev/null && echo libtiff-4))
OPENED := libxml-2.0
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wvla
# clang may say that a loop around fmod cannot be vectorised; it need not be. gcc's word that a variable may have no
# value is often wrong below -O3, where `make long` asks for it. Neither knows the other's option.
WARNINGS += $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),-Wno-pass-failed,-Wno-maybe-uninitialized)
# Rooms whose loops go over elements are optimised as much as the compiler can, those whose loops go over steps and
# bytes well, and those that do their work once for a graph or a shape as well as takes little time to compile. All
# loops of SIMD are marked `omp simd`: -O2 makes the same vectors of them in half the time. The user's CFLAGS come
# behind: theirs count.
MOST := bench interp/call interp/kernels interp/library interp/maths ir/tensor
WELL := interp/exec interp/onednn parser
ONCE := check cli front generate interp/audit interp/exec/build interp/exec/plan interp/exec/report ir/infer ir/notes \
	ir/ops ir/text parser/onnx parser/openvino passes
SIMD := $(patsubst %,interp/kernels/%.o,binary compare logic)
in_rooms = $(filter $(addsuffix /%,$(addprefix $(BUILD)/obj/,$(1))),$@)
LEVEL = $(if $(call in_rooms,$(ONCE)),-Og,$(if $(filter $(SIMD:%=$(BUILD)/obj/%),$@)$(call in_rooms,$(WELL)),-O2,$(if \
	$(call in_rooms,$(MOST)),-O3,-O1)))
# What makes a defect harder to use, as far as the compiler knows it: docs/measure.md has what each costs. Sanitizers
# find more, and do not see what the checked functions of _FORTIFY_SOURCE do; these want a compiler that optimises, and
# a user's own word of them counts.
ifeq ($(findstring -fsanitize=,$(CFLAGS)),)
HARDENING ?= -fstack-protector-strong -fstack-clash-protection -fcf-protection -D_FORTIFY_SOURCE=2
endif
accepted = $(shell echo | $(CC) -O1 -Werror $(1) -S -o /dev/null -x c - 2>/dev/null && echo '$(1)')
ifneq ($(HARDENING),)
ASKED := $(patsubst -D%,-U_FORTIFY_SOURCE -D%,$(filter-out $(if \
	$(findstring -O0,$(CFLAGS))$(findstring _FORTIFY_SOURCE,$(CPPFLAGS)$(CFLAGS)),-D_FORTIFY_SOURCE%),$(HARDENING)))
HARDENED := $(or $(call accepted,$(ASKED)),$(foreach f,$(ASKED),$(call accepted,$(f))))
HARDENED_LINK := -Wl,-z,relro -Wl,-z,now
HARDENED_PROGRAM := $(HARDENED_LINK) $(if $(findstring -static,$(LDFLAGS)),,-pie)
endif
# -ffp-contract=off comes last: the arithmetic is what the source says, whatever the user's flags. Nobody asks for
# errno of a function of maths nor for traps of the processor, and without them loops with choices become vectors.
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE \
	-I. -I$(BUILD)/gen $(PACKAGE_CFLAGS) -fPIC -fvisibility=hidden $(WARNINGS) -pthread \
	-fopenmp-simd -fno-math-errno -fno-trapping-math $(HARDENED) $(LEVEL) $(CPPFLAGS) $(CFLAGS) -ffp-contract=off
LIBS = $(PACKAGE_LIBS) -lm -ldl

# A short loop that lies across the end of a line of 64 bytes takes twice as long on a Zen 3, so that what stood before
# a kernel decided how long it took: where the rows of a layer normalisation lay changed its time by 7 %.
$(BUILD)/obj/interp/kernels/%.o $(BUILD)/obj/interp/library/%.o $(BUILD)/obj/interp/maths/%.o: \
	ALL_CFLAGS += -falign-loops=32

# What GCC does at -O3 in vain: it writes several turns of an outer loop side by side, which the lanes of sums are
# already, and tiles once more for rows without gaps. Without that these two compile in four fifths of the time.
IN_VAIN_REDUCE := $(call accepted,-fno-loop-unroll-and-jam)
IN_VAIN_TILE := $(call accepted,-fno-version-loops-for-strides)
$(BUILD)/obj/interp/kernels/reduce.o: ALL_CFLAGS += $(IN_VAIN_REDUCE)
$(BUILD)/obj/interp/library/tile.o: ALL_CFLAGS += $(IN_VAIN_TILE)

# With sanitizers clang takes more than four minutes of a processor to optimise the unrolled loops of the tiles, and
# with the counters of a fuzzer half a minute and more for each file of loops beside it.
ifneq ($(findstring -fsanitize=,$(CFLAGS)),)
$(BUILD)/obj/interp/library/tile.o: ALL_CFLAGS += -O0
endif
ifneq ($(findstring -fsanitize=fuzzer,$(CFLAGS)),)
$(BUILD)/obj/interp/library/%.o $(BUILD)/obj/interp/maths/%.o: ALL_CFLAGS += -O0
endif

$(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard parser/image*.c)): ALL_CFLAGS += $(patsubst lib%,-DINLAY_READS_%,$(subst -4,,$(PICTURES))) \
	$(if $(PICTURES),$(shell $(PKG_CONFIG) --cflags $(PICTURES)))

BUILDLESS := clean deb docs format headers lint soname symbols uninstall
ifneq ($(filter-out $(BUILDLESS),$(or $(MAKECMDGOALS),all)),)
ifneq ($(shell $(PKG_CONFIG) --exists $(PACKAGES) $(OPENED) && echo yes),yes)
$(error libxml2, cJSON, zlib or protobuf-c was not found by pkg-config: run ./setup.sh)
endif
PACKAGE_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) $(OPENED))
PACKAGE_LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES) $(PICTURES))
CLI_LIBS := $(shell $(PKG_CONFIG) --libs libcjson)

# These files change when what they hold does: every object depends on the flags, the libraries on their name and the
# list of objects, the compiled rules on the list of rule files.
define keep
ifneq ($$($(2)),$$(file <$(BUILD)/$(1)))
$$(shell mkdir -p $(dir $(BUILD)/$(1)))
$$(file >$(BUILD)/$(1),$$($(2)))
endif
endef
FLAGS := $(CC) $(ALL_CFLAGS) | $(PICTURES) | $(ONCE) | $(SIMD) | $(MOST) | $(WELL) | $(IN_VAIN_REDUCE) $(IN_VAIN_TILE) | $(HARDENED_PROGRAM) $(LDFLAGS)
$(eval $(call keep,flags,FLAGS))
LIBRARY := $(SONAME) $(LIB_OBJ)
$(eval $(call keep,objects,LIBRARY))
$(eval $(call keep,rule-files,RULE_FILES))
UNITS := $(patsubst %,UNIT(%),$(UNIT_NAMES))
$(eval $(call keep,gen/units.inc,UNITS))
# cmocka hands every test a state, which few ask for.
UNIT_FLAGS = -Dmain=$(*F)_main -Wno-unused-parameter
$(eval $(call keep,unit-flags,UNIT_FLAGS))

# The folders of objects.
$(shell mkdir -p $(addprefix $(BUILD)/obj/,$(sort $(dir $(LIB_SRC) $(CLI_SRC) $(CHECK_SRC) $(MODULE_SRC) \
	$(wildcard tests/*.c tests/*/*.c examples/*.c bench/*.c models/*/*.c)))))
endif

# Build with every processor, unless -j on the command line says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --no-print-directory -j$(shell nproc 2>/dev/null || echo 2)
endif

# V=1 shows the commands. Otherwise a terminal has one line, which says what is made now and how many of the objects
# that were missing are compiled; who reads from a pipe has a line for every hundred of them, and -s says nothing.
ifndef V
.SILENT:
endif
TOLD := $(if $(V)$(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),,yes)
OBJECTS := $(LIB_OBJ) $(CLI_OBJ) $(CHECK_OBJ) $(MODULE_OBJ)
ifneq ($(filter tests check quick sanitized rebase long coverage,$(MAKECMDGOALS)),)
OBJECTS += $(patsubst %.c,$(BUILD)/obj/%.o,$(UNIT_SRC) $(UNIT_HELP) $(wildcard tests/*.c tests/fuzz/*.c tests/reference/*.c))
endif
MISSING := $(words $(filter-out $(wildcard $(OBJECTS)),$(OBJECTS)))
compiled = $(words $(DONE))$(if $(filter-out 0,$(MISSING)), of $(MISSING)) compiled
ifneq ($(MAKE_TERMOUT),)
step = $(if $(TOLD),printf '  %s\033[K\r' '$(compiled): $(1)')
finished = $(if $(TOLD)$(DONE),printf '\033[K')
else
step = $(if $(TOLD),$(if $(filter cc,$(firstword $(1))),$(if $(filter %00,$(words $(DONE))),echo '  $(compiled)')))
finished = $(if $(TOLD),$(if $(DONE),echo '  $(words $(DONE)) compiled'))
endif
compile_step = $(eval DONE += x)$(call step,cc $<)

# A sanitizer's runtime lives in the program, so a library linked with -z defs cannot be made then.
ifeq ($(findstring -fsanitize=,$(CFLAGS)),)
SHARED_LIB := $(BUILD)/libinlay.so
# The module of oneDNN's kernels is made where oneDNN's header is; ONEDNN=no leaves it out.
ONEDNN ?= $(shell echo '\#include <dnnl.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
ifeq ($(ONEDNN),yes)
MODULE := $(BUILD)/libinlay-onednn.so
endif
endif

.PHONY: afl all demo docs examples bench bench-results check quick digests asan sanitized lint format coverage coverage-ops messages install uninstall clean rebase tests werror headers soname symbols \
	bench-budget bench-python browser check-arm64 compiled deb fuzz fuzz-regress fuzzers install-python replays long conformance operations planted prove python wheel
.DELETE_ON_ERROR:

all: $(BUILD)/libinlay.a $(SHARED_LIB) $(MODULE) $(BUILD)/inlay $(BUILD)/inlay-check
	$(finished)

# ---- the table of operations, compiled from ir/ops/*.def by a program that runs here ----

GENERATED := $(BUILD)/gen/inlay_kinds.h $(BUILD)/gen/inlay_ops.h $(BUILD)/gen/op_table.inc $(BUILD)/gen/op-places

$(BUILD)/host/opgen: ir/ops/opgen.c ir/ops/row.c ir/ops/row.h $(wildcard ir/ops/*.def)
	+$(call step,host $@)
	+mkdir -p $(@D)
	+$(HOSTCC) -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -O1 -g -I. -o $@ $(filter %.c,$^)

# A file that would stay the same is left alone. All of the library includes inlay_kinds.h, which a new row leaves as it
# is; inlay_ops.h and op_table.inc, which it changes, are included by some forty files. `make -n` does what has a +, or
# it would say that all is made anew.
define replace
if cmp -s $(1).tmp $(1); then rm $(1).tmp; else echo '  gen     $(1)'; mv $(1).tmp $(1); fi
endef

$(BUILD)/gen/ops: $(BUILD)/host/opgen
	+mkdir -p $(@D)
	+$< kinds >$(@D)/inlay_kinds.h.tmp
	+$< header >$(@D)/inlay_ops.h.tmp
	+$< table >$(@D)/op_table.inc.tmp
	+$(call replace,$(@D)/inlay_kinds.h)
	+$(call replace,$(@D)/inlay_ops.h)
	+$(call replace,$(@D)/op_table.inc)
	+touch $@

$(BUILD)/gen/inlay_kinds.h $(BUILD)/gen/inlay_ops.h $(BUILD)/gen/op_table.inc: $(BUILD)/gen/ops ; +@:

# Every function of a row stands in the files of its family.
$(BUILD)/gen/op-places: $(BUILD)/host/opgen $(wildcard ir/infer/*.c interp/kernels/*.c)
	mkdir -p $(@D)
	$< places
	touch $@

# ---- the rewrite rules, compiled to tables by the library's own reader of rules, which runs here ----

# The reader is made of the objects of the library where these run here, else of such that do. Compilers call one
# machine x86_64-linux-gnu or x86_64-pc-linux-gnu. It has rows without their functions: see ir/ops/set.c.
machine_of = $(subst -pc-,-,$(subst -unknown-,-,$(shell $(1) -dumpmachine 2>/dev/null)))
RULEGEN_SRC := $(filter-out passes/rules/set.c ir/ops/set.c,$(filter ir/% passes/rules/% passes/query/%,$(LIB_SRC)))
ifeq ($(call machine_of,$(CC)),$(call machine_of,$(HOSTCC)))
RULEGEN_OBJ := $(RULEGEN_SRC:%.c=$(BUILD)/obj/%.o)
RULEGEN_CC = $(CC) $(ALL_CFLAGS)
RULEGEN_LINK = $(CC) $(CFLAGS) $(LDFLAGS)
else
RULEGEN_OBJ := $(RULEGEN_SRC:%.c=$(BUILD)/host/obj/%.o)
RULEGEN_CC = $(HOSTCC) -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -I. -I$(BUILD)/gen -pthread -O1
RULEGEN_LINK = $(HOSTCC)
endif
RULEGEN_OBJ += $(BUILD)/host/obj/ir/ops/set.o $(BUILD)/host/obj/passes/rules/rulegen.o

$(BUILD)/host/obj/%.o: %.c $(BUILD)/flags | $(GENERATED)
	$(call step,host $<)
	mkdir -p $(@D)
	$(RULEGEN_CC) -DINLAY_ROWS_ALONE -MMD -MP -c -o $@ $<

# Only what the reader needs is linked: the archive gives no object that nothing asks for.
$(BUILD)/host/rulegen: $(RULEGEN_OBJ)
	$(call step,host $@)
	mkdir -p $(@D)
	rm -f $@.a && $(AR) rcs $@.a $(RULEGEN_OBJ)
	$(RULEGEN_LINK) -o $@ $(filter %/rulegen.o,$(RULEGEN_OBJ)) $@.a -lm -pthread

$(BUILD)/gen/rules: $(BUILD)/host/rulegen $(RULE_FILES) $(BUILD)/rule-files
	$< $(RULE_FILES) >$@.inc.tmp
	$(call replace,$@.inc)
	touch $@

$(BUILD)/gen/rules.inc: $(BUILD)/gen/rules ; +@:

$(BUILD)/obj/passes/rules/set.o: $(BUILD)/gen/rules.inc

# ---- what `inlay help N7` says, from the page of conditions ----

GENERATED += $(BUILD)/gen/conditions.inc

$(BUILD)/gen/conditions.inc: passes/inplace/CONDITIONS.md cli/conditions.awk
	+mkdir -p $(@D)
	+awk -f cli/conditions.awk $< >$@.tmp
	+$(call replace,$@)
	+touch $@

$(BUILD)/obj/cli/conditions.o: $(BUILD)/gen/conditions.inc

# ---- the rules that inlay-check knows, with what the page of proofs says of each ----

CHECKED_RULES := passes/PROVEN.md $(wildcard passes/rules/*.rules)

$(BUILD)/gen/check_rules.inc: check/rules.awk $(CHECKED_RULES)
	+mkdir -p $(@D)
	+awk -f check/rules.awk $(CHECKED_RULES) >$@.tmp
	+$(call replace,$@)
	+touch $@

$(BUILD)/obj/check/rule.o: $(BUILD)/gen/check_rules.inc

# ---- the records of ONNX files, from the field numbers in onnx.proto ----

GENERATED += $(BUILD)/gen/onnx.pb-c.h

$(BUILD)/gen/onnx.pb-c.h: parser/onnx/onnx.proto
	$(call step,gen $@)
	mkdir -p $(@D)
	$(PROTOC_C) --proto_path=$(<D) --c_out=$(@D) $<

$(BUILD)/obj/parser/onnx/onnx.pb-c.o: $(BUILD)/gen/onnx.pb-c.h $(BUILD)/flags
	$(compile_step)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $(<:.h=.c)

# ---- the page of `inlay view`, whose parts become numbers in a file of C ----

VIEW_SCRIPTS := $(patsubst %,front/view/%.js,model layout scene draw memory panel page)
GENERATED += $(BUILD)/gen/view_page.inc

$(BUILD)/gen/view_page.inc: front/view/page.css front/view/page.html $(VIEW_SCRIPTS)
	$(call step,gen $@)
	mkdir -p $(@D)
	for part in css html js; do \
		echo "static const unsigned char page_$$part[] = {"; \
		if [ $$part = js ]; then cat $(VIEW_SCRIPTS); else cat front/view/page.$$part; fi | \
			od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'; \
		echo '};'; \
	done >$@.tmp
	mv $@.tmp $@

$(BUILD)/obj/front/view/template.o: $(BUILD)/gen/view_page.inc

# ---- objects and libraries ----

$(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(GENERATED)
	$(compile_step)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# One relocatable object whose hidden symbols are made local: both libraries export the same names.
$(BUILD)/libinlay.a: $(LIB_OBJ) $(BUILD)/objects
	$(call step,ar $@)
	$(LD) -r -o $(BUILD)/libinlay.o $(LIB_OBJ)
	$(OBJCOPY) --localize-hidden $(BUILD)/libinlay.o
	rm -f $@ && $(AR) rcs $@ $(BUILD)/libinlay.o

$(BUILD)/libinlay.so: $(LIB_OBJ) $(BUILD)/objects
	$(call step,link $@)
	$(CC) -shared -Wl,-z,defs $(HARDENED_LINK) -Wl,-Bsymbolic-functions -Wl,-soname,$(SONAME) $(CFLAGS) $(LDFLAGS) -o $@ $(LIB_OBJ) $(LIBS) -pthread
	ln -sf libinlay.so $(BUILD)/$(SONAME)

# It needs nothing of the library, which opens it when a program has work for it. libgomp is OpenMP as oneDNN has it.
$(BUILD)/libinlay-onednn.so: $(MODULE_OBJ)
	$(call step,link $@)
	$(CC) -shared -Wl,-z,defs $(HARDENED_LINK) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ldnnl -l:libgomp.so.1 -pthread

# The command and the plugins that it loads share one library, which stands beside the command here, and in ../lib
# where it is installed. Where no shared library is made the command holds the other one, and loads no plugins.
ifdef SHARED_LIB
$(BUILD)/inlay: $(CLI_OBJ) $(SHARED_LIB)
	$(call step,link $@)
	$(CC) $(HARDENED_PROGRAM) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(if $(RPATH),'-Wl$(comma)-rpath$(comma)$(RPATH)') $(CLI_LIBS) -lm -ldl -pthread
else
$(BUILD)/inlay: $(CLI_OBJ) $(BUILD)/libinlay.a
	$(call step,link $@)
	$(CC) $(HARDENED_PROGRAM) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -ldl -pthread
endif

# Nothing of the library is linked into what checks its certificates.
$(BUILD)/inlay-check: $(CHECK_OBJ)
	$(call step,link $@)
	$(CC) $(HARDENED_PROGRAM) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

# The programs of the demonstration.
$(BUILD)/show_digits: $(BUILD)/obj/models/digits/show.o
$(BUILD)/ask_gpt: $(BUILD)/obj/models/tiny-gpt/ask.o
$(BUILD)/show_digits $(BUILD)/ask_gpt: $(BUILD)/libinlay.a
	$(call step,link $@)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -pthread

# ---- tests ----

# Unit tests may call what is private to a folder, so they link the objects as they are.
$(BUILD)/tests/libinlay-private.a: $(LIB_OBJ) $(BUILD)/objects
	mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $(LIB_OBJ)

$(UNIT_SRC:%.c=$(BUILD)/obj/%.o): ALL_CFLAGS += $(UNIT_FLAGS)
$(UNIT_SRC:%.c=$(BUILD)/obj/%.o): $(BUILD)/unit-flags

# A module is looked for beside the program that contains the library.
$(BUILD)/tests/libinlay-onednn.so: $(MODULE)
	mkdir -p $(@D)
	ln -sf ../libinlay-onednn.so $@

$(UNIT_BIN) $(BUILD)/tests/units $(BUILD)/tests/inlays $(BUILD)/tests/run_graphs: | $(if $(MODULE),$(BUILD)/tests/libinlay-onednn.so)

# What stands there may be a link to the program of all.
$(BUILD)/tests/test_%: $(BUILD)/obj/tests/unit/test_%.o $(UNIT_HELP_OBJ) $(BUILD)/tests/libinlay-private.a
	$(call step,link $@)
	rm -f $@
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--defsym,main=$(@F)_main -o $@ $^ $(LIBS) -lcmocka -pthread

$(BUILD)/tests/units: $(BUILD)/obj/tests/units.o $(UNIT_NAMES:%=$(BUILD)/obj/tests/unit/%.o) $(UNIT_HELP_OBJ) \
		$(BUILD)/tests/libinlay-private.a
	$(call step,link $@)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka -pthread
	for test in $(UNIT_NAMES); do ln -sf units $(@D)/$$test; done

$(BUILD)/obj/tests/units.o: $(BUILD)/gen/units.inc

$(BUILD)/tests/golden: $(BUILD)/obj/tests/golden.o
	$(call step,link $@)
	mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# The command again and again.
$(BUILD)/tests/inlays: $(BUILD)/obj/tests/inlays.o $(CLI_OBJ) $(BUILD)/tests/libinlay-private.a
	$(call step,link $@)
	$(OBJCOPY) --redefine-sym main=inlay_main $(BUILD)/obj/cli/main.o $@.main.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(patsubst %/cli/main.o,$@.main.o,$^) $(LIBS) -pthread

# Runs graphs for tests/reference.
RUN_GRAPHS_OBJ := $(BUILD)/obj/tests/reference/run_graphs.o

$(BUILD)/tests/run_graphs: $(RUN_GRAPHS_OBJ) $(BUILD)/tests/libinlay-private.a
	$(call step,link $@)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -pthread

# Hashes of results (models/digests.txt).
DIGESTS_OBJ := $(BUILD)/obj/tests/digests/digests.o $(BUILD)/obj/cli/digest.o

$(BUILD)/tests/digests: $(DIGESTS_OBJ) $(BUILD)/tests/libinlay-private.a
	$(call step,link $@)
	mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -pthread

# All that `tests` links.
compiled: $(LIB_OBJ) $(CLI_OBJ) $(CHECK_OBJ) $(if $(MODULE),$(MODULE_OBJ)) $(UNIT_SRC:%.c=$(BUILD)/obj/%.o) $(UNIT_HELP_OBJ) \
	$(RUN_GRAPHS_OBJ) $(DIGESTS_OBJ) $(patsubst %,$(BUILD)/obj/%.o,tests/golden tests/inlays tests/units models/digits/show models/tiny-gpt/ask \
	$(patsubst %.c,%,$(wildcard tests/fuzz/*.c)))

tests: all replays $(BUILD)/tests/units $(UNIT_ALONE:%=$(BUILD)/tests/%) $(BUILD)/tests/golden $(BUILD)/tests/inlays $(BUILD)/tests/run_graphs $(BUILD)/tests/digests $(BUILD)/show_digits $(BUILD)/ask_gpt
	$(finished)

RUN_TESTS = BUILD='$(abspath $(BUILD))' CC='$(CC)' CFLAGS='$(CFLAGS)' LDFLAGS='$(LDFLAGS)' tests/run.sh

check: tests
	$(RUN_TESTS) all

sanitized: tests
	$(RUN_TESTS) sanitized

# REWRITE=1 writes models/digests.txt anew.
digests: $(BUILD)/tests/digests
	BUILD='$(abspath $(BUILD))' REWRITE='$(REWRITE)' tests/run.sh tests/digests/test_digests.sh

quick: tests
	$(RUN_TESTS) quick

rebase: tests
	$(RUN_TESTS) rebase

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

SANITIZED := -O1 -gline-tables-only -fno-omit-frame-pointer $(SANITIZE)

asan:
	$(MAKE) BUILD=$(BUILD)/asan CC=clang CFLAGS='$(SANITIZED)' \
		LDFLAGS=-no-pie INLAY_SLOW=1 sanitized

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(CHECK_OBJ:.o=.d) $(MODULE_OBJ:.o=.d) $(UNIT_BIN:$(BUILD)/tests/%=$(BUILD)/obj/tests/unit/%.d)
-include $(UNIT_HELP_OBJ:.o=.d) $(BUILD)/obj/tests/golden.d $(BUILD)/obj/tests/inlays.d $(BUILD)/obj/models/digits/show.d $(BUILD)/obj/models/tiny-gpt/ask.d
-include $(RUN_GRAPHS_OBJ:.o=.d) $(filter $(BUILD)/host/%,$(RULEGEN_OBJ:.o=.d))

# ---- fuzzers: searching ones by clang, and programs that replay files (tests/fuzz) ----

FUZZERS := xml json text onnx rules extension tensor
FUZZ_HELP := $(BUILD)/obj/tests/fuzz/fuzz.o $(BUILD)/obj/tests/fuzz/model.o $(BUILD)/tests/libinlay-private.a

# Inputs of these are changed by words, and by messages; those of the others byte by byte.
$(patsubst %,$(BUILD)/fuzz/%,xml json text rules extension): $(BUILD)/obj/tests/fuzz/mutate_words.o $(BUILD)/obj/tests/fuzz/mutate.o
$(BUILD)/fuzz/onnx: $(BUILD)/obj/tests/fuzz/mutate_message.o $(BUILD)/obj/tests/fuzz/mutate.o

$(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o $(FUZZ_HELP)
	$(call step,link $@)
	mkdir -p $(@D)
	$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -pthread

# The same mutators for AFL++, whose compilers take the same option.
$(BUILD)/fuzz/mutate_%.so: $(patsubst %,$(BUILD)/obj/tests/fuzz/%.o,afl mutate) $(BUILD)/obj/tests/fuzz/mutate_%.o $(BUILD)/tests/libinlay-private.a
	$(call step,link $@)
	mkdir -p $(@D)
	$(CC) -shared $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -pthread

$(BUILD)/tests/replay_%: $(BUILD)/obj/tests/fuzz/%.o $(BUILD)/obj/tests/fuzz/replay.o $(FUZZ_HELP)
	$(call step,link $@)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -pthread

replays: $(FUZZERS:%=$(BUILD)/tests/replay_%)

fuzzers:
	$(MAKE) BUILD=$(BUILD)/fuzzing CC=clang CFLAGS='$(SANITIZED) -fsanitize=fuzzer-no-link' \
		$(FUZZERS:%=$(BUILD)/fuzzing/fuzz/%)

# Searches FUZZ_SECONDS with each of FUZZ_TARGETS; where one ends, a later search goes on.
FUZZ_TARGETS ?= $(FUZZERS)
FUZZ_SECONDS ?= 60

fuzz: fuzzers $(BUILD)/tests/inlays $(BUILD)/inlay
	BUILD='$(abspath $(BUILD))' tests/fuzz/search.sh $(BUILD)/fuzzed $(FUZZ_SECONDS) $(FUZZ_TARGETS)

# The targets for AFL++: tests/fuzz/README.md.
afl: $(patsubst %,$(BUILD)/fuzz/mutate_%.so,words message)
	$(MAKE) BUILD=$(BUILD)/afl CC=afl-clang-fast CFLAGS=-O1 $(FUZZERS:%=$(BUILD)/afl/fuzz/%)

# Whether all that fuzzers once found is right now, with sanitizers (the tests with sanitizers look at it, too).
fuzz-regress:
	$(MAKE) BUILD=$(BUILD)/asan CC=clang CFLAGS='$(SANITIZED)' LDFLAGS=-no-pie replays
	BUILD='$(abspath $(BUILD))/asan' tests/run.sh tests/fuzz/test_found.sh

-include $(wildcard $(BUILD)/obj/tests/fuzz/*.d)

# ---- the command with bugs in it, each behind a switch: tests/planted/README.md ----

PLANTED_SRC := $(sort $(shell sed -n 's/^file //p' tests/planted/bugs.txt))
PLANTED_OBJ := $(PLANTED_SRC:%.c=$(BUILD)/planted/%.o) $(BUILD)/obj/tests/planted/planted.o

$(BUILD)/planted/%.o: %.c tests/planted/bugs.txt tests/planted/plant.py tests/planted/planted.h $(BUILD)/flags | $(GENERATED)
	$(call step,plant $<)
	mkdir -p $(@D)
	python3 tests/planted/plant.py sources $(@:.o=.c) $<
	$(CC) $(ALL_CFLAGS) -MMD -MP -I$(<D) -c -o $@ $(@:.o=.c)

-include $(PLANTED_SRC:%.c=$(BUILD)/planted/%.d)

planted: $(BUILD)/planted/inlay
# What is planted stands before the archive, which then gives no object with the same names.
$(BUILD)/planted/inlay: $(CLI_OBJ) $(PLANTED_OBJ) $(BUILD)/tests/libinlay-private.a
	$(call step,link $@)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -ldl -pthread

# ---- what takes long: tests/long/README.md ----

long: tests
	BUILD='$(abspath $(BUILD))' CC='$(CC)' CFLAGS='$(CFLAGS)' LDFLAGS='$(LDFLAGS)' tests/long.sh $(PARTS)

# The tests on another machine, emulated.
check-arm64:
	$(MAKE) long PARTS=aarch64

# The page of all operations, and behind it what is written by hand.
operations: $(BUILD)/inlay
	($(BUILD)/inlay ops --markdown; cat ir/ops/sums.md ir/ops/elsewhere.md) >ir/OPERATIONS.md

# The page of what is proven of the rewrite rules: passes/prove/README.md. Needs z3.
prove: $(BUILD)/inlay $(BUILD)/tests/test_prove_questions
	sh tests/prove/proven.sh $(BUILD)/inlay >$(BUILD)/PROVEN.md
	LIST_QUESTIONS=1 $(BUILD)/tests/test_prove_questions >$(BUILD)/questions.txt
	mv $(BUILD)/questions.txt tests/prove/questions.txt
	mv $(BUILD)/PROVEN.md passes/PROVEN.md

# ONNX's node tests: tests/conformance/README.md.
conformance: all $(BUILD)/tests/inlays
	BUILD='$(abspath $(BUILD))' INLAY_SHARED="$$(tests/shared.sh)" tests/conformance/onnx.sh

# Pages of `inlay view` in a browser: tests/browser/README.md.
browser: $(BUILD)/inlay
	BUILD='$(abspath $(BUILD))' tests/browser/run.sh

demo: all $(BUILD)/show_digits $(BUILD)/ask_gpt
	$(finished)
	BUILD='$(abspath $(BUILD))' sh models/digits/demo.sh
	BUILD='$(abspath $(BUILD))' sh models/window/demo.sh
	BUILD='$(abspath $(BUILD))' sh models/tiny-gpt/demo.sh

# ---- programs that use the library (examples); a test builds them against an installed copy ----

EXAMPLES := $(patsubst examples/%.c,$(BUILD)/examples/%,$(wildcard examples/*.c))

$(BUILD)/examples/%: $(BUILD)/obj/examples/%.o $(BUILD)/libinlay.a
	$(call step,link $@)
	mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -pthread

examples: $(EXAMPLES)

-include $(wildcard $(BUILD)/obj/examples/*.d)

# ---- measurements beside peers, no part of check (bench/README.md) ----

BENCH_BIN := $(patsubst %,$(BUILD)/bench/%,windows limits ort table step read_xml read_onnx copied compressed call budget)
BENCH_HELP := $(BUILD)/obj/bench/measure.o $(BUILD)/obj/bench/session.o

$(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(BENCH_HELP) $(BUILD)/libinlay.a
	$(call step,link $@)
	mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -ldl -pthread

# They measure the readers of others, too.
$(BUILD)/bench/read_xml: LIBS += $(shell $(PKG_CONFIG) --libs $(OPENED))
$(BUILD)/bench/read_onnx: $(BUILD)/obj/parser/onnx/onnx.pb-c.o

# Its own memcpy is called by the library that it opens.
$(BUILD)/obj/bench/copied.o: ALL_CFLAGS += -fno-builtin
$(BUILD)/bench/copied: LDFLAGS += -rdynamic

$(BUILD)/obj/bench/limits.o: ALL_CFLAGS += -O3 -march=native

bench: $(BENCH_BIN)
	BUILD='$(abspath $(BUILD))' bench/run.sh

# The same, kept in bench/RESULTS.md and in the README.
bench-results: $(BENCH_BIN)
	BUILD='$(abspath $(BUILD))' bench/run.sh --readme README.md >$(BUILD)/bench/results.md
	mv $(BUILD)/bench/results.md bench/RESULTS.md

# What a budget costs, counted by callgrind.
bench-budget: $(BUILD)/bench/budget $(BUILD)/tests/test_scaling
	BUILD='$(abspath $(BUILD))' bench/budget.sh

# What a call from Python costs above the call in C.
bench-python: python $(BUILD)/bench/call
	BUILD='$(abspath $(BUILD))' PYTHONPATH='$(abspath $(BUILD))/python' $(PYTHON) bench/call.py

-include $(wildcard $(BUILD)/obj/bench/*.d)

# ---- Python: an extension on the limited API, in a package beside the library (python/README.md) ----

PYTHON ?= $(firstword $(foreach p,/usr/bin/python3 python3,$(if $(call python_headers,$(p)),$(p))) python3)
python_headers = $(wildcard $(addsuffix /Python.h,$(shell $(1) -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null)))
PYTHON_FILES := $(wildcard python/inlay/*.py python/inlay/*.pyi python/inlay/py.typed)
PYTHON_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard python/src/*.c))
PYTHON_PACKAGE := $(BUILD)/python/inlay/_inlay.abi3.so $(PYTHON_FILES:%=$(BUILD)/%)
ifneq ($(filter python wheel bench-python install-python tests check quick,$(MAKECMDGOALS)),)
PYTHON_HEADER := $(call python_headers,$(PYTHON))
$(shell mkdir -p $(BUILD)/obj/python/src $(BUILD)/python/inlay)
ifeq ($(PYTHON_HEADER)$(filter-out python wheel install-python,$(MAKECMDGOALS)),)
$(error the headers of $(PYTHON) were not found: they are in Debian's python3-dev; PYTHON=... names another)
endif
endif

$(PYTHON_OBJ): ALL_CFLAGS += -isystem $(patsubst %/Python.h,%,$(PYTHON_HEADER))

$(BUILD)/python/inlay/%: python/inlay/%
	cp $< $@

# The library stands beside the extension in a wheel, and two folders above it here.
$(BUILD)/python/inlay/_inlay.abi3.so: $(PYTHON_OBJ) $(SHARED_LIB)
	$(call step,link $@)
	$(CC) -shared $(HARDENED_LINK) $(CFLAGS) $(LDFLAGS) -o $@ $^ '-Wl,-rpath,$$ORIGIN:$$ORIGIN/../..'

python: all $(PYTHON_PACKAGE)

# For packages of a distribution, whose loader finds the library without being told where it is.
PYTHON_DIR ?= $(PREFIX)/lib/python3/dist-packages
install-python: python
	install -d "$(DESTDIR)$(PYTHON_DIR)/inlay"
	install -m 644 $(PYTHON_FILES) "$(DESTDIR)$(PYTHON_DIR)/inlay/"
	$(CC) -shared $(HARDENED_LINK) $(CFLAGS) $(LDFLAGS) -o "$(DESTDIR)$(PYTHON_DIR)/inlay/_inlay.abi3.so" $(PYTHON_OBJ) $(SHARED_LIB)
	$(STRIP) --strip-unneeded "$(DESTDIR)$(PYTHON_DIR)/inlay/_inlay.abi3.so"

wheel: python
	BUILD='$(BUILD)' $(PYTHON) -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir $(BUILD) .

# Tests of the package run where Python's header is, where a shared library is made, and it is for this machine.
ifneq ($(and $(PYTHON_HEADER),$(SHARED_LIB),$(filter $(call machine_of,$(HOSTCC)),$(call machine_of,$(CC)))),)
tests: $(PYTHON_PACKAGE)
endif

-include $(wildcard $(BUILD)/obj/python/src/*.d)

# ---- for contributors ----

C_FILES = $(shell git ls-files -co --exclude-standard '*.c' '*.h' 2>/dev/null || find . -name '*.[ch]')

format:
	clang-format -i $(C_FILES)

# The + hands on how many jobs there may be: it calls make again.
lint:
	+tests/lint.sh $(C_FILES)

# Links of the pages, files that they name, and how long they are.
docs:
	@ROOT='$(CURDIR)' sh tests/unit/test_links.sh

# Everything compiled by both compilers with warnings as errors; part of lint. What is only linked has no warnings.
# gcc finds some of its warnings where it optimises, more at -O3 (`make long` asks for those); clang's are all of its
# front end. WERROR_GCC=build says that gcc has compiled all with CFLAGS=-Werror there, as .ci/run does.
werror: werror-gcc werror-clang

WERROR_GCC ?= $(BUILD)/werror-gcc

werror-gcc:
	$(MAKE) BUILD=$(WERROR_GCC) CC=gcc CFLAGS=-Werror compiled

werror-clang:
	$(MAKE) BUILD=$(BUILD)/$@ CC=clang CFLAGS='-O0 -Werror' compiled

coverage:
	rm -rf $(BUILD)/coverage
	$(MAKE) BUILD=$(BUILD)/coverage CFLAGS='-O0 -g --coverage' LDFLAGS=--coverage quick
	tests/coverage.sh $(BUILD)/coverage

# How often each row of the table of operations was met in which form: planned, in a body, dynamic, empty, strided.
coverage-ops: $(BUILD)/tests/test_row_forms
	ROOT='$(CURDIR)' INLAY_SEEDS=$${INLAY_SEEDS:-1,1} $(BUILD)/tests/test_row_forms

# The messages that no test provokes. A coverage build that is there is used again, its counts are not.
# Tests of a file size limit fail in it, because such a program cannot write its counts.
messages:
	$(MAKE) BUILD=$(BUILD)/coverage CFLAGS='-O0 -g --coverage' LDFLAGS=--coverage tests
	find $(BUILD)/coverage -name '*.gcda' -delete
	-$(MAKE) BUILD=$(BUILD)/coverage CFLAGS='-O0 -g --coverage' LDFLAGS=--coverage quick
	tests/messages.sh $(BUILD)/coverage

# ---- installing ----

# The names of the public headers, and what the library is called, for tests.
headers:
	@echo '$(PUBLIC_HEADERS)'

soname:
	@echo '$(SONAME) $(VERSION)'

# Brings the list of what is exported up to date; BASE=1 makes it the base, at a release.
symbols:
	tests/build/symbols.sh $(if $(BASE),base,update) tests/build/symbols.txt $(SONAME) $(VERSION) $(PUBLIC_HEADERS)

INCLUDE_DIR = $(DESTDIR)$(PREFIX)/include/inlay
LIB_DIR = $(DESTDIR)$(LIBDIR)
SHARE_DIR = $(DESTDIR)$(PREFIX)/share

# The loader's cache is brought up to date where its own folders were written to. Where that does not do, a user
# must know what does.
define tell_loader
case '$(PREFIX)' in /usr|/usr/local) PATH="$$PATH:/usr/sbin:/sbin" ldconfig 2>/dev/null || true ;; esac
PATH="$$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null | grep -qF ' $(LIBDIR)/$(SONAME)' || \
	echo 'The loader does not look in $(LIBDIR): run `ldconfig $(LIBDIR)` as root, or set LD_LIBRARY_PATH to it.'
endef

# What build systems read: where the library is, and which.
fill = sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@SONAME@|$(SONAME)|; \
	s|@PACKAGES@|$(PACKAGES) $(PICTURES)|' packaging/$(1) >"$(LIB_DIR)/$(2)" && chmod 644 "$(LIB_DIR)/$(2)"

install: all
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(LIB_DIR)/pkgconfig" "$(LIB_DIR)/cmake/inlay" "$(INCLUDE_DIR)"
	install -m 755 $(BUILD)/inlay $(BUILD)/inlay-check "$(DESTDIR)$(PREFIX)/bin/"
	$(STRIP) "$(DESTDIR)$(PREFIX)/bin/inlay" "$(DESTDIR)$(PREFIX)/bin/inlay-check"
	install -m 644 $(BUILD)/libinlay.a "$(LIB_DIR)/"
	$(STRIP) -g "$(LIB_DIR)/libinlay.a"
	install -m 755 $(BUILD)/libinlay.so "$(LIB_DIR)/$(SONAME)"
	$(STRIP) --strip-unneeded "$(LIB_DIR)/$(SONAME)"
	ln -sf $(SONAME) "$(LIB_DIR)/libinlay.so"
	$(if $(MODULE),install -D -m 755 $(MODULE) "$(LIB_DIR)/inlay/libinlay-onednn.so" && \
		$(STRIP) --strip-unneeded "$(LIB_DIR)/inlay/libinlay-onednn.so")
	for h in $(PUBLIC_HEADERS); do install -D -m 644 $$h "$(INCLUDE_DIR)/$$h" || exit 1; done
	install -m 644 $(BUILD)/gen/inlay_kinds.h $(BUILD)/gen/inlay_ops.h "$(INCLUDE_DIR)/"
	$(call fill,inlay.pc.in,pkgconfig/inlay.pc)
	$(call fill,inlay-config.cmake.in,cmake/inlay/inlay-config.cmake)
	$(call fill,inlay-config-version.cmake.in,cmake/inlay/inlay-config-version.cmake)
	cli/install_manual.sh $(BUILD)/inlay "$(SHARE_DIR)" $(if $(filter /usr,$(PREFIX)),vendor)
	$(if $(DESTDIR),,$(tell_loader))

# Debian packages, of the last commit.
deb:
	packaging/deb.sh $(BUILD)/deb

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/inlay" "$(DESTDIR)$(PREFIX)/bin/inlay-check" "$(LIB_DIR)/libinlay.a" "$(LIB_DIR)/libinlay.so" \
		"$(LIB_DIR)/$(SONAME)" "$(LIB_DIR)/pkgconfig/inlay.pc"
	rm -f "$(SHARE_DIR)"/man/man1/inlay.1 "$(SHARE_DIR)"/man/man1/inlay-*.1 "$(SHARE_DIR)"/man/man5/inlay-*.5 \
		"$(SHARE_DIR)"/man/man3/libinlay.3 "$(SHARE_DIR)"/bash-completion/completions/inlay \
		"$(SHARE_DIR)"/zsh/*/_inlay "$(SHARE_DIR)"/fish/vendor_completions.d/inlay.fish
	rm -rf "$(INCLUDE_DIR)" "$(LIB_DIR)/inlay" "$(LIB_DIR)/cmake/inlay" "$(SHARE_DIR)/doc/inlay"

clean:
	rm -rf $(BUILD)
