/* `inlay run --test-data FOLDER` without a model: runs a whole folder of tests, each of them a
 * folder with a model and data sets (test_data.c). */
#ifndef INLAY_CLI_SUITE_H
#define INLAY_CLI_SUITE_H

#include "cli/child.h"

typedef enum suite_result {
    SUITE_PASS,
    SUITE_DRAWN, /* types and shapes are right, and elements are drawn at random */
    SUITE_SKIP,  /* the oracle does not take this model */
    SUITE_FAIL,
    SUITE_RESULTS
} suite_result;

/* One test, in one way of running it. */
typedef struct suite_run {
    suite_result result;
    double seconds;
    char *why; /* one line; NULL: it passes */
} suite_run;

enum { SUITE_WAYS = 2 };

typedef struct suite_test {
    char *folder;
    const char *name; /* FOLDER without that of the suite */
    char *model;
    inlay_strbuf operators; /* of the model, one a line */
    suite_run runs[SUITE_WAYS];
} suite_test;

typedef struct suite {
    const char *folder, *filter, *junit, *oracle;
    bool json, quiet;
    int seconds; /* for each test */
    inlay_compare_options tolerance;
    inlay_budget *budget;
    char exchange[CLI_FOLDER_SIZE]; /* a folder for the oracle; "": none */
    int n_ways;
    const char *ways[SUITE_WAYS]; /* "planned", "reference", or "oracle" */
    /* Judges a test in a process of its own, which CTX tells how; errors go to standard error.
     * Returns an exit status: SUITE_BY_SHAPE, or one of inlay_status. */
    int (*judge)(void *ctx, const suite_test *t, const char *way);
    void *ctx;
    FILE *told; /* the process of a test writes the operators of its model to it; or NULL */
    suite_test *tests;
    size_t n;
} suite;

/* Rows for an option table. */
#define SUITE_OPTIONS(s, to)                                                                       \
    {"--filter", "PATTERN", "of those, the tests whose names match, such as 'test_conv*'",         \
     .text = &(s).filter},                                                                         \
        {"--oracle", "COMMAND",                                                                    \
         "let COMMAND MODEL FOLDER run them, which reads input_0.npy and writes output_0.npy in "  \
         "FOLDER; exit status 4: it does not take the model",                                      \
         .text = &(s).oracle},                                                                     \
        {"--junit", "FILE.xml", "also write their results as JUnit's XML", .text = &(s).junit},    \
        CLI_JSON_OPTION((s).json), CLI_SECONDS_OPTION(to, "60")

enum { SUITE_BY_SHAPE = 100 };

/* Runs all tests, prints the results, and returns the exit status. */
int suite_run_all(suite *s);

/* suite_operators.c: appends the operators of the nodes in MODEL, a file of ONNX in its binary
 * form, with those of bodies and functions, to OUT, each once and in a line of its own. Of other
 * files it knows none. */
void suite_operators(const char *model, inlay_strbuf *out);
/* The same of the nodes of G. */
void suite_graph_operators(const inlay_graph *g, inlay_strbuf *out);
/* Is the LINE of N bytes one of LINES (or NULL)? */
bool suite_has_line(const char *lines, const char *line, size_t n);

/* suite_oracle.c: asks the oracle in place of running the model, in the process of the test. DRAWN:
 * the model draws elements at random. Returns an exit status as `judge` does. */
int suite_ask_oracle(const suite *s, const suite_test *t, bool drawn);

/* suite_report.c */

void suite_print(const suite *s);
void suite_print_json(FILE *f, const suite *s);
void suite_print_junit(FILE *f, const suite *s);
/* How many tests end so in the way WAY; OP: of those with this one in their model; or NULL. */
size_t suite_count(const suite *s, int way, suite_result result, const char *op);

#endif
