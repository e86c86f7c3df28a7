/* Sets of operations: the built-in table, sets by which programs extend it, and look-up by type and
 * version. */
#include "inlay_ops.h"
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/base/locale.h"
#include "ir/ops/compile.h"
#include "ir/ops/rows.h"
#include "ir/ops/types.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* How opgen writes a default of kind type. */
#define TYPE_f32 INLAY_F32
#define TYPE_i64 INLAY_I64
#define TYPE_i32 INLAY_I32
#define TYPE_boolean INLAY_BOOLEAN
#define TYPE_dynamic INLAY_DYNAMIC

/* The compiler of rules, which runs during the build, needs only the rows: with their functions it
 * would be rebuilt whenever a kernel changes. */
#ifdef INLAY_ROWS_ALONE
#define FUNCTION(name) NULL
#else
#define FUNCTION(name) name
#endif
#include "op_table.inc"

enum { N_BUILTIN = sizeof inlay_op_table / sizeof inlay_op_table[0], MAX_ADDED = 10000 };

struct inlay_op_set {
    const inlay_op *const *rows; /* those of the base first */
    const int *by_type;          /* their numbers, sorted by type (ignoring case), then by number */
    int n;
    atomic_size_t *holders; /* NULL: built in */
    const inlay_op_set *base;
    inlay_arena *arena; /* for everything that does not belong to BASE */
};

static const inlay_op_set builtin = {.rows = op_rows, .by_type = op_by_type, .n = N_BUILTIN};

static const inlay_op_set *resolved(const inlay_op_set *s)
{
    return s ? s : &builtin;
}

size_t inlay_op_count(const inlay_op_set *s)
{
    return (size_t)resolved(s)->n;
}

const inlay_op *inlay_op_at(const inlay_op_set *s, size_t i)
{
    return i < inlay_op_count(s) ? resolved(s)->rows[i] : NULL;
}

/* The row at position I in the order of types. */
static const inlay_op *by_type(const inlay_op_set *s, int i)
{
    return s->rows[s->by_type[i]];
}

/* The first position in the order of types whose type is not less than TYPE. */
static int lower_bound(const inlay_op_set *s, const char *type)
{
    int lo = 0, hi = s->n;

    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (inlay_word_compare(by_type(s, mid)->name, type) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Splits a version: "opset8" is a set with a name of 5 letters, and number 8; "tensorflow" has
 * number 0. False for anything else. */
static bool split_version(const char *version, size_t *set, int *number)
{
    const char *p;
    long n = 0;

    *set = strcspn(version, "0123456789");
    *number = 0;
    for (p = version + *set; *p; p++) {
        if (*p < '0' || *p > '9' || n > 9999)
            return false;
        n = n * 10 + (*p - '0');
    }
    if (version[*set] == '0')
        return false;
    *number = (int)n;
    return *set > 0;
}

static bool is_of_set(const char *name, const char *version, size_t length)
{
    return strlen(name) == length && strncmp(name, version, length) == 0;
}

static bool in_version(const inlay_op *op, const char *version, size_t set, int number)
{
    return is_of_set(op->set, version, set) && number >= op->first && number <= op->last;
}

/* Returns the newest opset of the set that VERSION names; INT_MAX if ops.def sets no limit. */
static int newest_opset(const char *version, size_t set)
{
    for (size_t i = 0; i < sizeof newest_opsets / sizeof newest_opsets[0]; i++) {
        if (is_of_set(newest_opsets[i].set, version, set))
            return newest_opsets[i].number;
    }
    return INT_MAX;
}

/* Whether some row is in this set of opsets, numbered or not, and the set goes up to NUMBER. */
static bool known_version(const inlay_op_set *s, const char *version, size_t set, int number)
{
    for (int i = 0; i < s->n; i++) {
        if (is_of_set(s->rows[i]->set, version, set) && (s->rows[i]->first > 0) == (number > 0))
            return number <= newest_opset(version, set);
    }
    return false;
}

/* Orders rows of one type: built-in ones before added ones, OpenVINO's before other sets', newer
 * ones before older ones. */
static bool is_preferred(const inlay_op *op, const inlay_op *to)
{
    bool native = strcmp(op->set, "opset") == 0, other_native = strcmp(to->set, "opset") == 0;

    if ((op->kind == INLAY_OP_ADDED) != (to->kind == INLAY_OP_ADDED))
        return to->kind == INLAY_OP_ADDED;
    if (native != other_native)
        return native;
    return strcmp(op->set, to->set) == 0 && op->version > to->version;
}

/* Finds the row for a type without a version. */
static const inlay_op *newest(const inlay_op_set *s, int from, const char *type)
{
    const inlay_op *best = NULL;

    for (int i = from; i < s->n && inlay_word_compare(by_type(s, i)->name, type) == 0; i++) {
        if (!best || is_preferred(by_type(s, i), best))
            best = by_type(s, i);
    }
    return best;
}

static bool is_listed(const char *type, const char *const *list)
{
    for (; *list; list++) {
        if (inlay_word_compare(type, *list) == 0)
            return true;
    }
    return false;
}

/* OpenVINO marks some operations with a version that does not contain them. Returns the version in
 * which its reader looks instead (parser/openvino/README.md 3.1). */
static const char *version_to_search(const char *type, const char *version)
{
    static const char *const from_opset2[] = {"MVN", "ROIPooling", "ReorgYolo", NULL};
    static const char *const from_opset6[] = {"ExperimentalDetectronDetectionOutput",
                                              "ExperimentalDetectronGenerateProposalsSingleImage",
                                              "ExperimentalDetectronPriorGridGenerator",
                                              "ExperimentalDetectronROIFeatureExtractor",
                                              "ExperimentalDetectronTopKROIs",
                                              "GRUCell",
                                              "RNNCell",
                                              "Proposal",
                                              NULL};

    if (strcmp(version, "opset1") == 0 && is_listed(type, from_opset2))
        return "opset2";
    if ((strcmp(version, "experimental") == 0 || strcmp(version, "extension") == 0) &&
        is_listed(type, from_opset6))
        return "opset6";
    return version;
}

/* Writes `, did you mean "MatMul"?` for the end of a message about TYPE, or "". */
static const char *meant(const inlay_op_set *s, const char *type, char *buf, size_t size)
{
    inlay_guess guess = {.word = type, .length = strlen(type)};

    for (int i = 0; i < s->n; i++)
        inlay_guess_try(&guess, by_type(s, i)->name);
    return inlay_guess_text(&guess, buf, size);
}

const inlay_op *inlay_op_find(const inlay_op_set *ops, const char *type, const char *version,
                              const inlay_pos *pos, inlay_diags *d)
{
    const inlay_op_set *s = resolved(ops);
    const inlay_op *any;
    int from, number;
    char text[160];
    size_t set;

    if (inlay_is_missing(type, "type of an operation", d))
        return NULL;
    from = lower_bound(s, type);
    any = newest(s, from, type);
    if (!version || !*version) {
        if (!any)
            inlay_fail(d, pos, "unknown operation %s%s", type, meant(s, type, text, sizeof text));
        return any;
    }
    version = version_to_search(type, version);
    if (!split_version(version, &set, &number) || !known_version(s, version, set, number)) {
        inlay_fail(d, pos, "operation %s is of unknown version \"%s\"", type, version);
        return NULL;
    }
    for (int i = from; i < s->n && inlay_word_compare(by_type(s, i)->name, type) == 0; i++) {
        if (in_version(by_type(s, i), version, set, number))
            return by_type(s, i);
    }
    if (any)
        inlay_fail(d, pos, "%s does not contain operation %s (%s is known)", version, type,
                   inlay_op_text(any, text, sizeof text));
    else
        inlay_fail(d, pos, "unknown operation %s of version %s%s", type, version,
                   meant(s, type, text, sizeof text));
    return NULL;
}

const inlay_op *inlay_op_of_spec(const inlay_op_set *ops, const char *type, int version)
{
    const inlay_op_set *s = resolved(ops);

    for (int i = type ? lower_bound(s, type) : s->n; i < s->n; i++) {
        const inlay_op *op = by_type(s, i);

        if (inlay_word_compare(op->name, type) != 0)
            break;
        if (op->version == version && strcmp(op->set, "opset") == 0 && strcmp(op->name, type) == 0)
            return op;
    }
    return NULL;
}

size_t inlay_op_of_type(const inlay_op_set *ops, const char *type, const inlay_op **rows,
                        size_t room)
{
    const inlay_op_set *s = resolved(ops);
    size_t n = 0;

    for (int i = type ? lower_bound(s, type) : s->n; i < s->n; i++) {
        const inlay_op *op = by_type(s, i);

        if (inlay_word_compare(op->name, type) != 0)
            break;
        if (n < room)
            rows[n] = op;
        n++;
    }
    return n;
}

/* Sets of the caller's */

const inlay_op_set *inlay_op_set_retain(const inlay_op_set *s)
{
    if (s && s->holders)
        atomic_fetch_add_explicit(s->holders, 1, memory_order_relaxed);
    return s;
}

/* A set holds a reference to its base, which is released with it. */
void inlay_op_set_release(const inlay_op_set *s)
{
    while (s && s->holders && atomic_fetch_sub_explicit(s->holders, 1, memory_order_acq_rel) == 1) {
        const inlay_op_set *base = s->base;

        inlay_arena_free(s->arena);
        s = base;
    }
}

static bool overlap(const inlay_op *a, const inlay_op *b)
{
    if (strcmp(a->set, b->set) != 0)
        return false;
    return (a->first <= b->last && b->first <= a->last) || a->version == b->version;
}

/* Refuses flags for which the executors do more than a kernel from outside can use. */
static bool check_flags(const inlay_op *op, const inlay_op_def *def, inlay_diags *d)
{
    const unsigned inside = INLAY_BLOCKS | INLAY_FORMS | INLAY_SINK | INLAY_VIEW | INLAY_HAS_BODY |
                            INLAY_ADOPTS | INLAY_RESHAPES | INLAY_CUTS;

    return !(op->flags & inside) ||
           op_refuse(def, d,
                     "blocks, forms, sink, view, body, adopts, reshapes and cuts are flags of "
                     "operations that are built in");
}

static bool check_new(const inlay_op_set *s, const inlay_op *op, const inlay_op_def *def,
                      inlay_diags *d)
{
    char text[160], why[256];

    if (!def->infer)
        return op_refuse(def, d, "it has no shape rule");
    for (int i = lower_bound(s, op->name); i < s->n; i++) {
        const inlay_op *other = by_type(s, i);

        if (inlay_word_compare(other->name, op->name) != 0)
            break;
        if (!overlap(op, other))
            continue;
        snprintf(why, sizeof why, "%s of %s is there already",
                 inlay_op_text(other, text, sizeof text), other->written);
        return op_refuse(def, d, why);
    }
    return check_flags(op, def, d);
}

/* Makes OP the last row; SORTED is the list of S, which has space for it. */
static void insert(inlay_op_set *s, const inlay_op **rows, int *sorted, const inlay_op *op)
{
    int at = lower_bound(s, op->name);

    while (at < s->n && inlay_word_compare(by_type(s, at)->name, op->name) == 0)
        at++;
    memmove(&sorted[at + 1], &sorted[at], (size_t)(s->n - at) * sizeof *sorted);
    sorted[at] = s->n;
    rows[s->n++] = op;
}

static bool add_rows(inlay_op_set *s, const inlay_op **rows, int *sorted, const inlay_op_def *defs,
                     size_t n, inlay_diags *d)
{
    for (size_t i = 0; i < n; i++) {
        const inlay_op *op = op_compile(&defs[i], s->n, s->arena, d);

        if (!op || !check_new(s, op, &defs[i], d))
            return false;
        insert(s, rows, sorted, op);
    }
    return true;
}

/* Makes a set with the rows of BASE, and space for N more. */
static inlay_op_set *copy_of(const inlay_op_set *base, size_t n, const inlay_op ***rows,
                             int **sorted)
{
    inlay_arena *arena = inlay_arena_new();
    inlay_op_set *s = arena ? inlay_arena_alloc(arena, sizeof *s) : NULL;
    size_t all = (size_t)base->n + n;

    *rows = s ? inlay_arena_array(arena, all, sizeof **rows) : NULL;
    *sorted = s ? inlay_arena_array(arena, all, sizeof **sorted) : NULL;
    if (s)
        s->holders = inlay_arena_alloc(arena, sizeof *s->holders);
    if (!s || !*rows || !*sorted || !s->holders) {
        inlay_arena_free(arena);
        return NULL;
    }
    memcpy(*rows, base->rows, (size_t)base->n * sizeof **rows);
    memcpy(*sorted, base->by_type, (size_t)base->n * sizeof **sorted);
    atomic_init(s->holders, 1);
    s->rows = *rows;
    s->by_type = *sorted;
    s->n = base->n;
    s->arena = arena;
    return s;
}

const inlay_op_set *inlay_op_set_new(const inlay_op_set *base, const inlay_op_def *defs, size_t n,
                                     inlay_diags *d)
{
    const inlay_op **rows;
    inlay_op_set *s;
    int *sorted;

    if (n > MAX_ADDED) {
        inlay_fail(d, NULL, "more than %d operations are added", (int)MAX_ADDED);
        return NULL;
    }
    if (!inlay_list_is_sound(defs, (int)n, "operations", d))
        return NULL;
    s = copy_of(resolved(base), n, &rows, &sorted);
    if (!s) {
        inlay_fail_memory(d);
        return NULL;
    }
    s->base = inlay_op_set_retain(base);
    if (add_rows(s, rows, sorted, defs, n, d))
        return s;
    inlay_op_set_release(s);
    return NULL;
}
