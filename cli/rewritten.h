/* Proofs of equality that rely on rewrites. Private to cli/. */
#ifndef INLAY_CLI_REWRITTEN_H
#define INLAY_CLI_REWRITTEN_H

#include "cli/cli.h"

#include <inttypes.h>

/* A rule, or a pass that has none. */
typedef struct cli_rewrite {
    const char *name;
    inlay_exactness exactness;
    uint64_t applications;
    inlay_strbuf at; /* where, of one that is not exact: "gelu" (GELU-7), ... */
} cli_rewrite;

typedef struct cli_rewrites {
    cli_rewrite *list;
    size_t n;
    const inlay_value *piece; /* what the piece computes that is being proven; NULL: all of it */
} cli_rewrites;

/* Rewrites copies of A and B by the passes of PIPELINE, and compares what comes out: *RESULT. *R
 * becomes what was applied to them; it begins as zero, and the caller frees it. False: an error. */
bool cli_prove_rewritten(const inlay_graph *a, const inlay_graph *b, const char *pipeline,
                         const inlay_symbolic_options *o, inlay_symbolic_result *result,
                         cli_rewrites *r, inlay_diags *d);
/* The same piece by piece, between the N values of PAIRS. */
bool cli_prove_pieces(const inlay_graph *a, const inlay_graph *b, const inlay_value_pair *pairs,
                      size_t n, const inlay_symbolic_options *o, inlay_pieces_result *result,
                      cli_rewrites *r, inlay_diags *d);
void cli_free_rewrites(cli_rewrites *r);
/* The least that one of them promises. */
inlay_exactness cli_rewrites_exactness(const cli_rewrites *r);
/* WHERE they were applied: "to both graphs". */
void cli_print_rewrites(const cli_rewrites *r, const char *where);
/* Prints the member "relies_on" of a JSON object, behind others. */
void cli_json_rewrites(const cli_rewrites *r);

#endif
