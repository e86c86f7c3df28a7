/* What the fuzzers share. Each is a program with one LLVMFuzzerTestOneInput: under clang's
 * libFuzzer it searches, under replay.c it runs the files that it is given (the tests do this). */
#ifndef INLAY_TESTS_FUZZ_H
#define INLAY_TESTS_FUZZ_H

#include "ir/ir.h"

#include <stddef.h>
#include <stdint.h>

/* 0, as libFuzzer wants it; a broken law ends the program. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { FUZZ_MOST_BYTES = 4 << 20 };

/* The path of FILE in a folder that is made for this run of the program, in which "w.bin" has 64 bytes; they begin
 * with a 1 as f32. */
const char *fuzz_path(const char *file);

/* What a reader returned for a model of any bytes, with its diagnostics; both are freed. A graph
 * must keep the laws that every graph keeps: the verifier passes it, inferring it again changes
 * nothing, its text form reads back as the same graph, what is written of it in other formats can be read, and the
 * passes and the planned executor leave it the same function. A NULL must come with an error. */
void fuzz_model(inlay_graph *g, inlay_diags *d);

/* Whether every input is held to all laws, as replays do. A search holds each to those that cost little and, by a hash,
 * to one of the others, so that it sees more of them. */
extern bool fuzz_all_laws;

/* Says which law was broken, with the first error of D (may be NULL), and aborts. */
_Noreturn void fuzz_broken(const char *law, const inlay_diags *d);
_Noreturn void fuzz_broken_text(const char *law, const char *why);

#endif
