/* The `inlay` command: what its subcommands share. The only part of Inlay that prints and exits. */
#ifndef INLAY_CLI_H
#define INLAY_CLI_H

#include "cli/options.h"
#include "front/front.h"
#include "generate/generate.h"
#include "interp/interp.h"
#include "ir/ir.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <signal.h>
#include <stdio.h>

/* One option of a subcommand. A flag sets *flag; an option with an argument stores it in *text, or
 * appends it to *list if it may be repeated. */
typedef struct cli_list {
    const char **items;
    int n;
} cli_list;

typedef struct cli_option {
    const char *name;     /* "--weights", or "-i" */
    const char *argument; /* "FILE" in the help; NULL: a flag */
    const char *help;
    bool *flag;
    const char **text;
    cli_list *list;
    bool optional_argument; /* the argument may be omitted; then *text is "" */
    bool shared;            /* an option of many commands, which cli/options.h explains */
    const char *usual;      /* of a shared option: its default; or NULL */
    bool hidden;            /* an older name, still accepted */
} cli_option;

typedef struct cli_command {
    const char *name;
    const char *arguments; /* "MODEL" */
    const char *summary;   /* one line */
    const char *example;   /* shown by --help; it works in the root of the repository */
    bool first;            /* listed first by `inlay help`, before the commands for researchers */
    int (*run)(const struct cli_command *self, int argc, char **argv);
} cli_command;

extern const cli_command cli_commands[];

int cmd_run(const cli_command *self, int argc, char **argv);
int cmd_opt(const cli_command *self, int argc, char **argv);
int cmd_convert(const cli_command *self, int argc, char **argv);
int cmd_verify(const cli_command *self, int argc, char **argv);
int cmd_check_rules(const cli_command *self, int argc, char **argv);
int cmd_diff(const cli_command *self, int argc, char **argv);
int cmd_explore(const cli_command *self, int argc, char **argv);
int cmd_bisect(const cli_command *self, int argc, char **argv);
int cmd_fuzz(const cli_command *self, int argc, char **argv);
int cmd_reduce(const cli_command *self, int argc, char **argv);
int cmd_prove(const cli_command *self, int argc, char **argv);
int cmd_compare(const cli_command *self, int argc, char **argv);
int cmd_info(const cli_command *self, int argc, char **argv);
int cmd_bench(const cli_command *self, int argc, char **argv);
int cmd_plan(const cli_command *self, int argc, char **argv);
int cmd_view(const cli_command *self, int argc, char **argv);
int cmd_print(const cli_command *self, int argc, char **argv);
int cmd_ops(const cli_command *self, int argc, char **argv);
int cmd_passes(const cli_command *self, int argc, char **argv);
int cmd_rules(const cli_command *self, int argc, char **argv);

/* args.c */

/* `inlay help options` */
void cli_print_shared_options(void);

/* Parses ARGV by OPTIONS (ended by a row without a name): options anywhere, `--name=value` and
 * `--name value`, `--` ends them. Writes positional arguments to OPERANDS[MAX], and their number to
 * *N. Returns -1 to go on, else the exit status (--help: 0, bad usage: 2, already reported). */
int cli_parse(const cli_command *self, const cli_option *options, int argc, char **argv,
              const char **operands, int min, int max, int *n);
/* False: out of memory. */
bool cli_list_add(cli_list *list, const char *item);
void cli_list_free(cli_list *list);
/* Prints "error: TEXT" to standard error; returns 2. */
int cli_usage(const cli_command *self, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Parses an integer for option NAME; false after reporting. */
bool cli_number(const cli_command *self, const char *name, const char *text, int64_t min,
                int64_t *out);
/* Parses a number of trials or seconds for option NAME: at least 1; above a million it becomes a
 * million. TEXT NULL leaves *OUT as it is. */
bool cli_count(const cli_command *self, const char *name, const char *text, int *out);
/* Parses a number of threads, 0 to INLAY_MAX_THREADS; TEXT NULL leaves *OUT as it is. */
bool cli_threads(const cli_command *self, const char *text, int *out);
bool cli_real(const cli_command *self, const char *name, const char *text, double *out);
/* "512M", "2G", "1000" */
bool cli_bytes(const cli_command *self, const char *name, const char *text, uint64_t *out);
/* "planned" or "reference"; TEXT NULL leaves *MODE as it is. */
bool cli_exec_mode(const cli_command *self, const char *text, inlay_exec_mode *mode);
/* "portable", "onednn" or "reference"; TEXT NULL leaves *KERNELS as it is. */
bool cli_kernels(const cli_command *self, const char *text, inlay_kernels *kernels);

/* The options of CLI_WRITE_OPTIONS, as they were given. */
typedef struct cli_written {
    const char *version, *opset, *external;
} cli_written;
/* Sets *OPTIONS to what W says of the file OUT (NULL: none is written); false after reporting. */
bool cli_write_options(const cli_command *self, const cli_written *w, const char *out,
                       inlay_write_options *options);

/* log.c: options that every command takes */

const cli_option *cli_common_options(void);
/* Opens the file of --log, and checks --color; false after reporting. */
bool cli_settle_log(void);
/* Is F to have colours? */
bool cli_has_color(FILE *f);
/* Writes a line where --verbose and --log want it. */
void cli_log(const char *fmt, ...) INLAY_PRINTF(1, 2);
FILE *cli_log_file(void); /* of --log, or NULL */
/* False after reporting that it could not be written. */
bool cli_close_log(void);

/* manual.c: for `make install` */

/* Prints the manual page of SELF ("man"), or its part of a shell's completion ("bash", "zsh",
 * "fish"). False: there is no such FORM. */
bool cli_print_manual(const cli_command *self, const cli_option *options, const char *form);
/* The same for the whole command. */
bool cli_print_completion(const char *form);

/* version.c */
int cli_print_version(void);

/* report.c */

/* Prints the messages of D, without notes, to standard error; frees D, and returns the exit status.
 */
int cli_finish(inlay_diags *d, int status);
/* The same with notes. */
int cli_finish_notes(inlay_diags *d, int status);
/* Reports "out of memory" without diagnostics; returns the exit status. */
int cli_no_memory(void);
/* A sink that writes to a FILE. */
bool cli_file_sink(void *file, const char *bytes, size_t n);
/* A text file that is made in memory first, so that it appears complete or not at all. */
typedef struct cli_text {
    FILE *file;
    char *bytes;
    size_t n;
} cli_text;

FILE *cli_text_open(cli_text *t, inlay_diags *d); /* NULL after an error */
/* Adds it to FS as PATH if OK; frees it. False if it is not written. */
bool cli_text_write(cli_text *t, inlay_files *fs, const char *path, bool ok, inlay_diags *d);
/* May files be committed now: has nothing failed, and is all output printed? After the commit
 * nothing may fail. Output that is lost is an error, in the words CLI_LOST. */
extern const char cli_lost[];
bool cli_may_write(inlay_diags *d);
/* Records in D the diagnostic E of another collector. */
void cli_record_again(const inlay_diag *e, inlay_diags *d);
/* Prints `, "name": "text"`, or null for a NULL text. */
void cli_json_field(FILE *f, const char *name, const char *text);
double cli_now_ms(void);

/* say.c: all text that may hold a name from a file is printed by these */

/* fprintf, which shows control characters in strings, and bytes that are no UTF-8, as \xHH. */
void cli_say(FILE *f, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* How many of the N bytes of a name a message quotes. */
static inline int cli_quoted(size_t n)
{
    return n < 200 ? (int)n : 200;
}
/* Prints TEXT, of several lines, in the same way. */
void cli_print_text(FILE *f, const char *text);
/* Prints S as a JSON string, quotes included. */
void cli_json_string(FILE *f, const char *s);

/* interrupt.c */

/* From now on the first SIGINT, SIGTERM or SIGHUP is remembered. TELL (may be NULL) prints what is
 * known at the next cli_interrupt_point, which then ends the process. */
void cli_on_interrupt(void (*tell)(void *ctx), void *ctx);
bool cli_interrupted(void);
const volatile sig_atomic_t *cli_interrupt_flag(void);
void cli_interrupt_point(void);
/* Ends the process by the signal that was remembered, if there is one. */
void cli_end_if_interrupted(void);
/* After SECONDS the process ends with INLAY_NO_RESOURCE and a message: work that looks for signals
 * has a second to tell what it has. */
void cli_hold_time(double seconds);
/* Ends the process that way where that time is over. */
void cli_end_if_late(void);

/* process.c */

/* The system refuses the process more than LIMIT bytes of private memory, and a little beside. */
void cli_hold_memory(uint64_t limit);
/* What a message that memory ran out should say besides; "" where that says nothing new. */
const char *cli_held_text(const inlay_diag *m);

/* progress.c: the progress line, on a terminal only */

/* Does TERM say that the terminal has no control sequences? */
bool cli_dumb_terminal(void);
void cli_progress_begin(const char *command);
void cli_progress_end(void);   /* removes the line, if there is one */
void cli_progress_clear(void); /* the same until it is drawn again, because something is printed */
void cli_progress_pass(const char *pass);
/* Work at WHAT begins, item DONE of ALL; the seconds that are left are told from how long those
 * before took. */
void cli_progress_item(const char *what, uint64_t done, uint64_t all);
/* The same, drawn at once and without a thread, which a process that forks must not have. */
void cli_progress_now(const char *command, const char *what, uint64_t done, uint64_t all);
/* PART of the work, 0 to 1, is done. */
void cli_progress_part(double part);
/* Callbacks of inlay_verify_options and inlay_exec_options. */
void cli_progress_trial(void *unused, int trial, int trials);
/* INSTANCE of so many of the item is in progress; PART of all the work is done. */
void cli_progress_instance(int64_t done, int64_t all, double part);
void cli_progress_step(void *unused, const inlay_node *n, uint64_t steps);

/* values.c: tensors on the command line */

/* "f32[2,5]" */
void cli_print_type(FILE *f, inlay_type type, int rank, const int64_t *dims);
/* Prints elements like numpy, long axes shortened, indented by INDENT. */
void cli_print_tensor(FILE *f, const inlay_tensor *t, int indent);
/* Prints {"name": ..., "type": ..., "shape": [...], "data": [...]}, the elements as in a graph in
 * JSON; null instead of very many, and of complex ones. */
void cli_json_tensor(FILE *f, const char *name, const inlay_tensor *t);
/* Writes the name of the file for the value NAME, without an ending, to FILE[SIZE]: a name may
 * contain slashes and worse, and be longer than a file's. Returns the length. */
size_t cli_file_name(const char *name, char *file, size_t size);
/* Adds T to FS as DIR/NAME.npy, packed types as DIR/NAME.bin, items as DIR/NAME/0.npy, 1.npy, ...;
 * writes the file's name within DIR to FILE[SIZE]. */
bool cli_write_tensor(const inlay_tensor *t, inlay_files *fs, const char *dir, const char *name,
                      char *file, size_t size, inlay_diags *d);

/* digest.c */

#define CLI_DIGEST_OF_NOTHING UINT64_C(0xcbf29ce484222325)
/* Adds T to *HASH: its type with a zero byte, its dims as 64 bits each, its elements in row-major
 * order, all with the lowest byte first; of strings the length before each. */
bool cli_digest(const inlay_tensor *t, uint64_t *hash, inlay_diags *d);

/* earlier.c: files that an earlier run wrote to the folder of -o */

/* Returns the text of DIR/outputs.json, which the caller frees; NULL: there is none. */
char *cli_read_index(const char *dir);
/* Removes from DIR the files that BEFORE (an earlier outputs.json, or NULL) lists and the present
 * one does not. */
void cli_remove_earlier(const char *dir, const char *before);

/* literal.c: an input that is written on the command line */

/* Whether TEXT is an element or a list for an input of type TYPE, and no name of a file. */
bool cli_is_literal(const char *text, inlay_type type);
/* Returns the tensor that TEXT writes, for the Parameter PARAM: of its type, and of its rank by
 * axes of one element in front. NULL and an error when it writes none. */
inlay_tensor *cli_literal(const inlay_node *param, const char *text, inlay_diags *d);

/* picture.c: an input that is the file of a picture */

typedef struct cli_picture {
    const char *layout, *mean, *std, *resize; /* NULL: as the input has it, 0, 1, as it is */
} cli_picture;

/* Rows for an option table. */
#define CLI_PICTURE_OPTIONS(o)                                                                     \
    CLI_LAYOUT_OPTION((o).layout), CLI_MEAN_OPTION((o).mean), CLI_STD_OPTION((o).std),             \
        CLI_RESIZE_OPTION((o).resize)

/* Does the name of PATH end as that of a picture does? */
bool cli_is_picture(const char *path);
/* Returns the picture in PATH as a tensor for the Parameter PARAM; NULL and an error. */
inlay_tensor *cli_picture_tensor(const inlay_node *param, const char *path, const cli_picture *o,
                                 inlay_budget *budget, inlay_diags *d);

/* inputs.c: -i NAME=..., --random, --shape */

typedef struct cli_inputs {
    inlay_tensor **tensors; /* one per Parameter */
    bool *donated;
    inlay_fill *fills; /* of generated tensors */
    inlay_range *ranges;
    int n;
    uint64_t bytes; /* of all tensors */
} cli_inputs;

typedef struct cli_input_options {
    cli_list given;  /* -i */
    cli_list shapes; /* --shape */
    cli_picture picture;
    bool random;
    const char *seed;
} cli_input_options;

/* Rows for an option table. */
#define CLI_INPUT_OPTIONS(o)                                                                       \
    CLI_GIVEN_OPTION((o).given, NULL),                                                             \
        {"--random", NULL, "make up every input that is not given", .flag = &(o).random},          \
        CLI_SEED_OPTION((o).seed, "0"), CLI_SHAPE_OPTION((o).shapes),                              \
        CLI_PICTURE_OPTIONS((o).picture)

/* Makes the inputs. MAX_MEMORY: limit in bytes for reading and making them. */
bool cli_make_inputs(const cli_command *self, const inlay_graph *g, const cli_input_options *o,
                     uint64_t max_memory, cli_inputs *in, inlay_diags *d);
void cli_free_inputs(cli_inputs *in);
/* Reads the inputs given by -i only; RANDOM: the others will be random. The caller frees IN, also
 * after an error. */
bool cli_take_inputs(const inlay_graph *g, const cli_list *list, const cli_picture *picture,
                     bool random, cli_inputs *in, inlay_diags *d);
/* feed.c: outputs of a run that are inputs of the next */

typedef struct cli_feeds {
    inlay_carried *items;
    int n;
    bool *fed; /* one per Parameter: it holds an output of the last run, and nothing else refers to
                  that */
} cli_feeds;

/* NAMES: of the outputs. The caller frees FEEDS, empty at first, also after an error. */
bool cli_read_feeds(const inlay_graph *g, const char *const *names, const cli_list *given,
                    cli_feeds *feeds, inlay_diags *d);
/* Sets the fed inputs to the outputs OUT, and donates them from now on. */
void cli_feed_inputs(const cli_feeds *feeds, inlay_tensor *const *out, cli_inputs *in);
void cli_free_feeds(cli_feeds *feeds);
/* --carry: turns the pairs GIVEN into variables of G. */
bool cli_carry(inlay_graph *g, const cli_list *given, inlay_diags *d);

/* sizes.c: sets the open sizes of SHAPES, one per Parameter, that nothing else decides, to usual
 * ones that the shape rules accept, such as a picture of 224 x 224. False: there is a picture, and
 * no such size fits. */
bool cli_choose_sizes(const inlay_graph *g, const cli_inputs *in, inlay_shape *shapes,
                      inlay_diags *d);

/* Returns what is left of MAX bytes (0: no limit) after USED; at least 1. */
uint64_t cli_memory_left(uint64_t max, uint64_t used);
/* --shape: one shape per Parameter, rank -1 if none; the caller frees *SHAPES. OTHER: shapes of
 * inputs that G lacks are ignored. */
bool cli_input_shapes(const inlay_graph *g, const cli_list *given, bool other, inlay_shape **shapes,
                      inlay_diags *d);
/* Sets such shapes of Parameters of G, within their own, and infers shapes again. */
bool cli_set_shapes(inlay_graph *g, const cli_list *given, bool other, inlay_diags *d);

/* verdict.c */

/* Prints "same: 8 of 8 trials counted"; returns the exit status: 0, 1, or 4 when it is
 * inconclusive. */
int cli_print_verdict(FILE *f, const inlay_verify_result *r);
/* Prints what no trial of G with O covers, if anything. O may be NULL. */
void cli_print_untried(FILE *f, const inlay_graph *g, const inlay_verify_options *o);
/* The same as fields of a JSON object, `"result": "same", ..., "not_covered": ["..."]`; G NULL:
 * only what R says. */
int cli_json_verdict(FILE *f, const inlay_verify_result *r, const inlay_graph *g,
                     const inlay_verify_options *o);

/* refuted.c */

/* The end of a message about a rule that is not there, `, did you mean "cube"?`, or "". */
typedef struct cli_near_rule {
    char text[100];
} cli_near_rule;

/* Looks among RULES for one that NAME may mean. */
void cli_guess_rule(cli_near_rule *near, const char *name, const inlay_rules *rules);

/* Where something is printed, and whether as text or as fields of a JSON object. */
typedef struct cli_printer {
    FILE *file;
    bool json;
} cli_printer;

/* Sets OUT to IN, the inputs of A, in the order of B's: by their names, else, where there are as
 * many, as they stand. Returns the first input of B that A lacks; NULL: it lacks none. */
const inlay_node *cli_order_inputs(const inlay_graph *a, const inlay_tensor *const *in,
                                   const inlay_graph *b, const inlay_tensor **out);

/* Keeps what an evaluator has given last: results, and the state that it left. */
typedef struct cli_recorder {
    inlay_evaluator of;
    inlay_tensor **out; /* results and variables; NULL: nothing was given */
    int n;
    char why[512]; /* why it failed; or empty */
} cli_recorder;

/* Returns an evaluator that is EV, and is recorded in R. */
inlay_evaluator cli_record(cli_recorder *r, const inlay_evaluator *ev);
void cli_free_recorder(cli_recorder *r);
/* Prints the inputs IN of A, and what A and B gave last; nothing where IN has none. */
void cli_print_refutation(const cli_printer *p, const inlay_graph *a, const cli_recorder *first,
                          const inlay_graph *b, const cli_recorder *second,
                          const inlay_tensor *const *in);
/* The same of the graph that TEXT writes, and of what the rule NAME of RULES makes of it; nothing
 * if they do not differ. */
void cli_print_refuted_rule(const cli_printer *p, const inlay_rules *rules, const char *name,
                            const char *text);

/* explain.c */

/* Writes the name of N, and its operation in parentheses. */
void cli_print_node(FILE *f, const inlay_node *n);

void cli_explain_text(FILE *f, const inlay_in_place *what);
/* Prints one element of a JSON array. */
void cli_explain_json(FILE *f, const inlay_in_place *what, bool first);
/* The same for a node that only moves elements. */
void cli_copy_text(FILE *f, const inlay_copy *copy);
void cli_copy_json(FILE *f, const inlay_copy *copy, bool first);

/* subgraph.c */

/* Leaves of G what computes the values TO (none: its outputs) of the values FROM, which become
 * inputs, and of the inputs that are still needed. */
bool cli_cut(inlay_graph *g, const cli_list *from, const cli_list *to, inlay_diags *d);

/* conditions.c */

/* Prints what the condition called NAME ("N7") demands, or the list of all ("conditions"). False:
 * there is no such. */
bool cli_help_condition(const char *name);
void cli_guess_conditions(inlay_guess *guess);

/* differences.c: how nodes changed */

/* Returns the number of nodes with one of CHANGES (inlay_change); 0: of unchanged nodes. */
size_t cli_count_changes(const inlay_diff *diff, unsigned changes);
bool cli_print_differences(FILE *f, const inlay_diff *diff, inlay_diags *d);
void cli_differences_json(FILE *f, const inlay_diff *diff);

/* step.c: prints what each application changes */

typedef struct cli_step {
    inlay_graph *before; /* the graph as last printed */
    bool told;           /* a change was printed */
} cli_step;

bool cli_step_begin(cli_step *s, const inlay_graph *g, inlay_diags *d);
/* To be called with every event. */
bool cli_step_told(cli_step *s, const inlay_event *e, inlay_diags *d);
void cli_step_end(cli_step *s);

/* memory.c: the memory plan of `inlay info`; PASSES as --passes names them */

void cli_memory_text(FILE *f, const inlay_memory_plan *p, const char *passes);
void cli_memory_json(FILE *f, const inlay_memory_plan *p, const char *passes);

/* unknown.c: stand-ins, which --allow-unknown accepts */

/* A kind of stand-in: an operation that the table does not have, or a Const without its bytes. */
typedef struct cli_unknown {
    const char *type, *version; /* live as long as the graph */
    size_t count;
    const char *node; /* the name of the first */
    unsigned line;    /* the line of the first; 0: the format has no lines */
    size_t place;     /* index of the first among the nodes of its kind */
} cli_unknown;

/* Lists the kinds in G and its bodies, sorted by type and version; the caller frees *LIST. */
bool cli_find_unknown(const inlay_graph *g, cli_unknown **list, size_t *n, inlay_diags *d);
/* Writes "MatMul of extension", or the type alone if the file gives no version. */
char *cli_unknown_text(const cli_unknown *u, char *buf, size_t size);
bool cli_is_missing_const(const cli_unknown *u);
/* Writes where the first one is: `line 3`, or `node "gelu"` in a format without lines. */
char *cli_unknown_place(const cli_unknown *u, char *buf, size_t size);
/* PATH could not be read with O. If it has operations that are not in the table, records an error
 * that names all of them. */
void cli_name_unknown(const char *path, const inlay_read_options *o, inlay_diags *d);

/* plugin.c */

typedef struct cli_plugins {
    inlay_pass_registry *passes; /* NULL: none was loaded; only the built-in ones */
    const inlay_op_set *ops;     /* the same */
    void **objects;
    int n;
} cli_plugins;

/* Loads files into OUT, which must be zero; the caller frees it, also after an error. False after
 * reporting. */
bool cli_load_plugins(const cli_list *passes, const cli_list *operations, cli_plugins *out);
void cli_free_plugins(cli_plugins *p);

/* model.c: reading a model, running passes over it */

typedef struct cli_model_options {
    cli_list dims;         /* --dim */
    cli_list shapes;       /* --shape, of commands whose inputs are not made up */
    cli_list carry;        /* --carry */
    const cli_list *given; /* -i: inputs of these names stay inputs; or NULL */
    const char *weights;
    bool allow_unknown, follow_links, never_map;
    const char *passes;
    cli_list disable;
    cli_list rules;      /* files */
    cli_list load;       /* --load: files */
    cli_list extensions; /* --extension: files */
    cli_plugins plugins;
    const char *max_memory;
    const char *max_iterations;
    inlay_budget *budget;        /* of --max-memory, or most of the machine: cli_settle */
    uint64_t memory, iterations; /* --max-memory and --max-iterations as numbers: cli_settle */
    bool require_in_place;       /* --require-in-place */
    const char *prefer;          /* --prefer */
    bool copies;                 /* a pass reported a copy */
    const char *max_copied, *max_peak;
    uint64_t copied_limit, peak_limit; /* --max-copied and --max-peak as numbers */
    FILE *reasons; /* decisions of in-place-windows to copy, for --max-copied; or NULL */
    char *reasons_text;
    size_t reasons_size;
    bool broken; /* it was reported that one of these options is violated */
} cli_model_options;

/* certify.c: a certificate of what passes do (opt --certify). */
typedef struct cli_certify {
    const char *path; /* NULL: none is wanted */
    inlay_certificate *of;
    inlay_sink to;
    inlay_strbuf text, steps, packed; /* of the model and the result; the certificate */
    size_t n_model;                   /* of the text, the part of the model */
    bool full, printed, out; /* with all elements; the files of model and result are these texts */
    inlay_files *files;      /* that wait for the result */
} cli_certify;

/* Does PATH end as the text form does? */
bool cli_is_text(const char *path);
/* Begins it for G, which was read from MODEL, and will be written to OUT, which may be NULL. */
bool cli_certify_begin(cli_certify *c, inlay_graph *g, const char *model, const char *out,
                       inlay_diags *d);
/* Ends it. G, which may be NULL after an error, is the result. */
bool cli_certify_end(cli_certify *c, const inlay_graph *g, inlay_diags *d);
/* Makes its files appear if they are WANTED, since the result was written. Returns whether both is
 * so. */
bool cli_certify_commit(cli_certify *c, bool wanted, inlay_diags *d);

/* pack.c: appends to TO what stands in TEXT from BEGIN on, where it is copied from what is before
 * it. */
bool cli_pack(const inlay_strbuf *text, size_t begin, inlay_strbuf *to, inlay_diags *d);

/* An observer of passes. */
typedef struct cli_pass_hook {
    inlay_events events;
    bool verify;   /* check graph and storage notes after each pass */
    bool explains; /* it reports what is decided in place */
} cli_pass_hook;

/* Runs the passes that O requests, with the reference evaluator; HOOK may be NULL. With
 * --require-in-place copies are reported on standard error, or by the hook. */
bool cli_run_passes(inlay_graph *g, cli_model_options *o, const cli_pass_hook *hook,
                    inlay_diags *d);
/* How to compare a graph with the result of passes. */
typedef struct cli_comparison {
    int trials;              /* 0: the default of inlay_verify */
    uint64_t seed;           /* of the first trial */
    bool rewritten;          /* errors of nodes that a rewrite removed may be gone */
    bool approximate;        /* within a tolerance, on usual numbers: a rule was approximate */
    const cli_printer *tell; /* where inputs and results of a difference are printed; NULL: nowhere
                              */
} cli_comparison;

/* Is AFTER, run as its notes say, the same function as BEFORE run by the reference, within the
 * limits of O? */
bool cli_compare(const cli_model_options *o, const inlay_graph *before, const inlay_graph *after,
                 const cli_comparison *how, inlay_verify_result *result, inlay_diags *d);
/* Prints the inputs and results of the trial in which cli_compare found that they differ. */
void cli_tell_difference(const cli_model_options *o, const inlay_graph *before,
                         const inlay_graph *after, const cli_comparison *how,
                         const inlay_verify_result *result, const cli_printer *p);
/* Are storage notes as O requires, after the passes and all else that drops notes with a warning in
 * D? If not, reports that on standard error, and sets O->broken. */
bool cli_check_places(cli_model_options *o, const inlay_diags *d);
/* Returns the status of a failed command: INLAY_DIFFERENT if notes were not as O requires. */
int cli_failed(const cli_model_options *o);
/* Reads the model PATH, with the sizes of O->dims and O->shapes, all of which must be of inputs. */
inlay_graph *cli_read(const char *path, const cli_model_options *o, inlay_diags *d);
/* The same for the other graph of a comparison: ignores sizes of inputs that it lacks. */
inlay_graph *cli_read_other(const char *path, const cli_model_options *o, inlay_diags *d);
/* Adds all of F, the file PATH, to TEXT, and closes it unless it is standard input. False after an
 * error: F is NULL, as errno says; or WHAT ("a file of rules") has more than MOST bytes. */
bool cli_read_text(FILE *f, const char *path, size_t most, const char *what, inlay_strbuf *text,
                   inlay_diags *d);
/* Reads a file of rewrite rules on the operations OPS. */
inlay_rules *cli_read_rules(const char *path, const cli_model_options *o, inlay_diags *d);
/* Frees what the options of O point to. */
void cli_free_model_options(cli_model_options *o);
/* Parses --max-memory and --max-iterations, and loads the files of --load; false after reporting.
 */
bool cli_settle(const cli_command *self, cli_model_options *o);

/* budget.c: --max-copied and --max-peak */

/* Parses them as numbers; false after reporting. */
bool cli_settle_budgets(const cli_command *self, cli_model_options *o);
/* Does G, after the passes, keep within the budgets of O: in its plans with KERNELS, or, if FOUND
 * is not NULL, in a run? If not, explains that on standard error, and sets O->broken; false also
 * after an error. */
bool cli_check_budgets(cli_model_options *o, const inlay_graph *g, inlay_kernels kernels,
                       const inlay_exec_stats *found, inlay_diags *d);
/* Records what E says about copies, for that explanation. */
void cli_keep_reasons(cli_model_options *o, const inlay_event *e);
void cli_free_reasons(cli_model_options *o);

/* test_data.c: the data sets of a model */

/* What runs the model, and how its outputs are compared. */
typedef struct cli_data_run {
    const inlay_graph *g;     /* NULL: the model is not ours */
    int n_in, n_out;          /* tensors of a set; -1: as many as there are files */
    const char *const *names; /* of the outputs; NULL: their numbers */
    const inlay_compare_options *tolerance;
    inlay_budget *budget;
    uint64_t held; /* bytes that are held already */
    bool quiet;
    bool drawn;     /* the model draws elements at random: type and shape are enough */
    bool *by_shape; /* receives whether that was needed */
    /* Runs it on IN into OUT, which is all NULL. Returns the status. */
    int (*run)(void *ctx, inlay_tensor *const *in, int n_in, uint64_t held, inlay_tensor **out,
               int n_out, inlay_diags *d);
    void *ctx;
} cli_data_run;

/* Reads the N values WHAT_<i>, "input" or "output", of the folder SET; G says what they are, NULL:
 * they are tensors. *HELD: the bytes in memory, before and after; MAX
 * is their limit (0: none). NULL and an error; the caller releases them. */
inlay_tensor **cli_read_set(const inlay_graph *g, const char *set, const char *what, int n,
                            inlay_budget *budget, uint64_t *held, inlay_diags *d);
/* Runs the data sets below DIR and compares the outputs. Returns the status: INLAY_DIFFERENT when
 * one differs, which is reported on standard error. */
int cli_run_data_sets(const cli_data_run *run, const char *dir, inlay_diags *d);
/* The same for G, whose outputs are called NAMES, run with the options O; HOW says how outputs are
 * compared. */
int cli_run_test_data(const inlay_graph *g, const inlay_exec_options *o, const char *const *names,
                      const char *dir, const cli_data_run *how, inlay_diags *d);
/* Does G draw elements at random? What does has a seed of its own. Passes may leave only elements
 * that were drawn. */
bool cli_draws(const inlay_graph *g);

/* ops_page.c: writes "opset8..", the opsets that contain OP. */
void cli_opsets_text(const inlay_op *op, char *buf, size_t size);
/* Prints all operations as the page ir/OPERATIONS.md to standard output. */
void cli_print_ops_page(void);

#endif
