/* Compiles ops.def into constant tables at build time, so that a malformed row is a build error and
 * nothing is parsed at start-up. A host program: `opgen kinds` writes inlay_kinds.h, which all of
 * the library includes, `opgen header` writes inlay_ops.h, which changes with each new row, `opgen
 * table` writes op_table.inc, which set.c includes, `opgen places` (from the top of the tree)
 * refuses a row whose functions are not in the files of its family. row.c parses the rows, as it
 * does for rows of programs; the grammar of a row is at the top of ops.def. */
#include "ir/ops/row.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
    row_text text;
    const char *infer, *eval;
    const char *file; /* ir/ops/<family>.def */
    int line;
};

/* A SHAPE or DIFFERS line of a family: OF names shape rules or types. */
struct words {
    const char *of, *text, *here;
    const char *file;
    int line;
};

struct newest {
    const char *set;
    int number;
};

#define OP(type, version, opsets, inputs, outputs, attrs, flags, infer, eval)                      \
    {{type, version, opsets, inputs, outputs, attrs, flags}, #infer, #eval, __FILE__, __LINE__},
#define SHAPE(rules, text)
#define DIFFERS(types, where, here)
#define NEWEST(set, number)
static const struct source rows[] = {
#include "ir/ops/ops.def"
    {.file = NULL},
};
#undef OP
#undef SHAPE
#define OP(type, version, opsets, inputs, outputs, attrs, flags, infer, eval)
#define SHAPE(rules, text) {#rules, text, NULL, __FILE__, __LINE__},
static const struct words shapes[] = {
#include "ir/ops/ops.def"
    {.of = NULL},
};
#undef SHAPE
#undef DIFFERS
#define SHAPE(rules, text)
#define DIFFERS(types, where, here) {types, where, here, __FILE__, __LINE__},
static const struct words differences[] = {
#include "ir/ops/ops.def"
    {.of = NULL},
};
#undef DIFFERS
#undef NEWEST
#define DIFFERS(types, where, here)
#define NEWEST(set, number) {set, number},
static const struct newest newest[] = {
#include "ir/ops/ops.def"
    {.set = NULL},
};

/* The number of entries without the last one, which only makes sure that no list is empty. */
#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]) - 1)
enum { N_ROWS = COUNT(rows), TEXT = 512 };

static const struct source *current; /* for messages of this program */

static void die(const char *fmt, ...)
{
    va_list args;

    fprintf(stderr, "%s:%d: %s-%d: ", current->file, current->line, current->text.type,
            current->text.version);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

/* The family of a row: "pad" for "ir/ops/pad.def". */
static void family_of(const struct source *s, char out[TEXT])
{
    const char *slash = strrchr(s->file, '/'), *name = slash ? slash + 1 : s->file;
    const char *dot = strrchr(name, '.');

    if (!dot || dot - name >= TEXT)
        die("the file is not called FAMILY.def");
    memcpy(out, name, (size_t)(dot - name));
    out[dot - name] = '\0';
}

/* The name of a kind: SCATTER_ND_UPDATE for ScatterNDUpdate. Operators of ONNX get the prefix
 * ONNX_, because they have names, but not signatures, in common with OpenVINO's. */
static void kind_name(const struct source *s, char *out)
{
    const char *p = s->text.type;
    char *q = out;

    if (strncmp(s->text.opsets, "onnx", 4) == 0)
        q += sprintf(q, "ONNX_");
    for (; *p; p++) {
        bool boundary = p > s->text.type && isupper((unsigned char)*p) &&
                        (islower((unsigned char)p[-1]) || isdigit((unsigned char)p[-1]) ||
                         (isupper((unsigned char)p[-1]) && islower((unsigned char)p[1])));
        if (strncmp(p, "ReLU", 4) == 0) { /* one word, whatever its capitals say */
            q += sprintf(q, p > s->text.type && p[-1] != 'P' ? "_RELU" : "RELU");
            p += 3;
        } else if (!isalnum((unsigned char)*p)) {
            if (p[1])
                *q++ = '_';
        } else {
            if (boundary)
                *q++ = '_';
            *q++ = (char)toupper((unsigned char)*p);
        }
    }
    *q = '\0';
}

#define NAME_OF(name, NAME, text) {"INLAY_ROLE_" #NAME, text},
static const char *const roles[][2] = {INLAY_ROW_ROLES(NAME_OF)};
#undef NAME_OF
#define NAME_OF(name, NAME) "INLAY_ATTR_" #NAME,
static const char *const kinds[] = {INLAY_ROW_KINDS(NAME_OF)};
#undef NAME_OF
#define NAME_OF(name, NAME) "INLAY_" #NAME,
static const char *const flags[] = {INLAY_ROW_FLAGS(NAME_OF)};
#undef NAME_OF

static const char *truth(bool x)
{
    return x ? "true" : "false";
}

static void print_word(row_word w)
{
    if (w.length > 0)
        printf("\"%.*s\"", w.length, w.text);
    else
        printf("NULL");
}

/* Prints the sets of types.h for a constraint: "SET_i32 | SET_i64" for "i32|i64". */
static void print_set(row_word types)
{
    const char *between = "";
    row_word one;

    for (; row_cut(&types, '|', &one); between = " | ")
        printf("%sSET_%.*s", between, one.length, one.text);
}

static void print_operands(const char *name, int index, const row_operand *o, int n)
{
    printf("static const inlay_operand_info %s_%d[] = {\n", name, index);
    for (int i = 0; i < n; i++) {
        printf("    {\"%.*s\", ", o[i].name.length, o[i].name.text);
        print_set(o[i].types);
        printf(", %d, \"%.*s\", %s, %s},\n", o[i].var, o[i].types.length, o[i].types.text,
               truth(o[i].optional), roles[o[i].role][0]);
    }
    if (n == 0)
        printf("    {NULL, 0, -1, NULL, false, INLAY_ROLE_NONE},\n");
    printf("};\n");
}

static bool is_kind(const row_attr *a, const char *name)
{
    return strcmp(kinds[a->kind], name) == 0;
}

static void print_ints(row_word list)
{
    const char *between = "";
    row_word one, rest = list;
    int n = 0;

    while (row_cut(&rest, ';', &one))
        n++;
    printf("%d, {.ints = (const int64_t[]){", n);
    for (; row_cut(&list, ';', &one); between = ",")
        printf("%s%.*s", between, one.length, one.text);
    printf("%s}}}", n ? "" : "0");
}

static void print_default(const row_attr *a)
{
    static const struct {
        const char *kind, *format;
    } formats[] = {
        {"INLAY_ATTR_BOOL", "{.b = %.*s}}"},     {"INLAY_ATTR_INT", "{.i = %.*s}}"},
        {"INLAY_ATTR_FLOAT", "{.f = %.*s}}"},    {"INLAY_ATTR_STRING", "{.s = \"%.*s\"}}"},
        {"INLAY_ATTR_ENUM", "{.s = \"%.*s\"}}"}, {"INLAY_ATTR_TYPE", "{.type = TYPE_%.*s}}"},
    };

    printf("{true, ");
    if (is_kind(a, "INLAY_ATTR_INTS")) {
        print_ints(a->otherwise);
        return;
    }
    printf("0, ");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (is_kind(a, formats[i].kind))
            printf(formats[i].format, a->otherwise.length, a->otherwise.text);
    }
}

static void print_allowed(int index, int attr, row_word names)
{
    row_word one;

    printf("static const char *const allowed_%d_%d[] = {", index, attr);
    while (row_cut(&names, '|', &one))
        printf("\"%.*s\", ", one.length, one.text);
    printf("NULL};\n");
}

static void print_attr(int index, int nth, const row_attr *a)
{
    printf("    {\"%.*s\", %s, %s, %s, ", a->name.length, a->name.text, kinds[a->kind],
           truth(a->required), truth(a->has_default));
    if (a->has_default)
        print_default(a);
    else
        printf("{false, 0, {.i = 0}}");
    if (a->allowed.length > 0)
        printf(", allowed_%d_%d},\n", index, nth);
    else
        printf(", NULL},\n");
}

static void print_attrs(int index, const row *r)
{
    for (int i = 0; i < r->n_attrs; i++) {
        if (r->attrs[i].allowed.length > 0)
            print_allowed(index, i, r->attrs[i].allowed);
    }
    printf("static const inlay_attr_info attrs_%d[] = {\n", index);
    for (int i = 0; i < r->n_attrs; i++)
        print_attr(index, i, &r->attrs[i]);
    if (r->n_attrs == 0)
        printf("    {NULL, INLAY_ATTR_INT, false, false, {false, 0, {.i = 0}}, NULL},\n");
    printf("};\n");
}

static void print_by_role(const char *name, int index, const signed char *of)
{
    printf("static const signed char %s_%d[] = {", name, index);
    for (int i = 0; i < ROW_ROLES; i++)
        printf("%d, ", of[i]);
    printf("};\n");
}

/* Whether NAMES, separated by blanks, contains NAME or NAME-VERSION. */
static bool has_name(const char *names, const char *name, int version)
{
    char exact[TEXT];
    size_t length;

    snprintf(exact, sizeof exact, "%s-%d", name, version);
    for (const char *p = names; *p; p += length + (p[length] == ' ')) {
        length = strcspn(p, " ");
        if ((strlen(name) == length && strncmp(p, name, length) == 0) ||
            (strlen(exact) == length && strncmp(p, exact, length) == 0))
            return true;
    }
    return false;
}

/* Whether W is about row S. */
static bool is_shape_of(const struct words *w, const struct source *s)
{
    return strcmp(w->file, s->file) == 0 && has_name(w->of, s->infer, 0);
}

static bool is_difference_of(const struct words *w, const struct source *s)
{
    return strcmp(w->file, s->file) == 0 &&
           (strcmp(w->of, "*") == 0 || has_name(w->of, s->text.type, s->text.version));
}

/* Checks that every name in W is that of a row of its family. */
static void check_words(const struct words *w, bool are_rules)
{
    size_t length;

    for (const char *p = w->of; *p; p += length + (p[length] == ' ')) {
        char name[TEXT];
        bool known = strcmp(w->of, "*") == 0;

        length = strcspn(p, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, p);
        for (int i = 0; i < N_ROWS && !known; i++) {
            known = strcmp(rows[i].file, w->file) == 0 &&
                    (are_rules ? strcmp(rows[i].infer, name) == 0
                               : has_name(name, rows[i].text.type, rows[i].text.version));
        }
        if (!known) {
            fprintf(stderr, "%s:%d: no row of this family has %s\n", w->file, w->line, name);
            exit(1);
        }
    }
}

static void print_text(const char *s)
{
    putchar('"');
    for (; *s; s++)
        printf(*s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    putchar('"');
}

static void print_differences(int index)
{
    printf("static const inlay_op_difference differences_%d[] = {\n", index);
    for (int k = 0; k < COUNT(differences); k++) {
        if (!is_difference_of(&differences[k], current))
            continue;
        printf("    {");
        print_text(differences[k].text);
        printf(", ");
        print_text(differences[k].here);
        printf("},\n");
    }
    printf("    {NULL, NULL},\n};\n");
}

static void print_words(int index)
{
    int n = 0;

    for (int k = 0; k < COUNT(shapes); k++) {
        if (is_shape_of(&shapes[k], current)) {
            printf(",\n     .shapes = ");
            print_text(shapes[k].text);
            break;
        }
    }
    for (int k = 0; k < COUNT(differences); k++)
        n += is_difference_of(&differences[k], current);
    printf(",\n     .differences = differences_%d, .n_differences = %d},\n", index, n);
}

static void print_arrays(int i, const row *r)
{
    print_differences(i);
    print_operands("in", i, r->in, r->n_in);
    print_operands("out", i, r->out, r->n_out);
    print_attrs(i, r);
    print_by_role("in_of", i, r->in_of);
    print_by_role("attr_of", i, r->attr_of);
}

/* Declares the functions of a row, each only once. */
static void declare(int i)
{
    bool infer = true, eval = true;

    for (int j = 0; j < i; j++) {
        infer = infer && strcmp(rows[j].infer, rows[i].infer) != 0;
        eval = eval && strcmp(rows[j].eval, rows[i].eval) != 0;
    }
    if (infer)
        printf("bool infer_%s(inlay_infer *cx);\n", rows[i].infer);
    if (eval)
        printf("bool eval_%s(inlay_call *c);\n", rows[i].eval);
}

static void print_struct(int i, const row *r)
{
    char kind[TEXT], family[TEXT];

    kind_name(current, kind);
    family_of(current, family);
    printf(
        "    {.name = \"%s\", .kind = INLAY_OP_%s, .version = %d, .family = \"%s\", .row = %d,\n",
        current->text.type, kind, current->text.version, family, i);
    printf("     .set = \"%.*s\", .first = %d, .last = %d, .written = \"%s\",\n", r->set.length,
           r->set.text, r->first, r->last, r->written);
    printf("     .in = in_%d, .n_in = %d, .min_in = %d, .variadic_in = %s, .in_of = in_of_%d,\n", i,
           r->n_in, r->min_in, truth(r->variadic_in), i);
    printf("     .out = out_%d, .n_out = %d, .count_in = %d, .count_attr = ", i,
           r->counted_out ? -1 : r->n_out, r->count_in);
    print_word(r->count_attr);
    printf(", .type_attr = ");
    print_word(r->type_attr);
    printf(",\n     .attrs = attrs_%d, .n_attrs = %d, .attr_of = attr_of_%d,\n", i, r->n_attrs, i);
    printf("     .overwrites = %d, .faults = %d, .flags = ", r->overwrites, r->faults);
    for (int k = 0; k < ROW_FLAGS; k++) {
        if (r->flags[k])
            printf("%s | ", flags[k]);
    }
    printf("0,\n     .infer = FUNCTION(infer_%s), .eval = FUNCTION(eval_%s)", current->infer,
           current->eval);
    print_words(i);
}

static int by_type(const void *a, const void *b)
{
    const struct source *x = &rows[*(const int *)a], *y = &rows[*(const int *)b];
    const char *p = x->text.type, *q = y->text.type;

    while (*p && tolower((unsigned char)*p) == tolower((unsigned char)*q))
        p++, q++;
    if (tolower((unsigned char)*p) != tolower((unsigned char)*q))
        return tolower((unsigned char)*p) - tolower((unsigned char)*q);
    return *(const int *)a - *(const int *)b;
}

/* Prints the row numbers sorted by type, for binary search. */
static void print_index(void)
{
    static int index[N_ROWS];

    for (int i = 0; i < N_ROWS; i++)
        index[i] = i;
    qsort(index, N_ROWS, sizeof index[0], by_type);
    printf("static const int op_by_type[] = {");
    for (int i = 0; i < N_ROWS; i++)
        printf("%s%d", i == 0 ? "" : ", ", index[i]);
    printf("};\n");
}

/* Calls FN for each row after parsing it. */
static void each_row(void (*fn)(int i, const row *r))
{
    static row r;
    char why[TEXT];

    for (int i = 0; i < N_ROWS; i++) {
        current = &rows[i];
        if (!row_parse(&current->text, &r, why, sizeof why))
            die("%s", why);
        fn(i, &r);
    }
}

static void print_newest(void)
{
    printf("static const struct {\n    const char *set;\n    int number;\n} newest_opsets[] = {\n");
    for (int i = 0; i < COUNT(newest); i++)
        printf("    {\"%s\", %d},\n", newest[i].set, newest[i].number);
    printf("    {\"\", 0},\n};\n");
}

static void print_table(void)
{
    for (int k = 0; k < COUNT(shapes); k++)
        check_words(&shapes[k], true);
    for (int k = 0; k < COUNT(differences); k++)
        check_words(&differences[k], false);
    each_row(print_arrays);
    for (int i = 0; i < N_ROWS; i++)
        declare(i);
    printf("const inlay_op inlay_op_table[] = {\n");
    each_row(print_struct);
    printf("};\nstatic const inlay_op *const op_rows[] = {\n");
    for (int i = 0; i < N_ROWS; i++)
        printf("    &inlay_op_table[%d],\n", i);
    printf("};\n");
    print_index();
    print_newest();
}

static void print_roles(void)
{
    printf("/* What an operand or attribute is to its operation. */\n"
           "typedef enum inlay_role {\n");
    for (int r = 0; r < ROW_ROLES; r++)
        printf("    %s, /* %s */\n", roles[r][0], roles[r][1]);
    printf("    INLAY_N_ROLES\n} inlay_role;\n\n");
}

/* FNV-1a */
static unsigned hash_of(unsigned h, const char *s)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h * 16777619u;
}

/* The kinds of operations: one per name, which several rows may have. */
static struct {
    char name[TEXT];
    bool is_first; /* it is the first of the rows with the name */
    bool is_frame; /* it is part of graphs in general, such as Parameter and Result */
} named[N_ROWS];

static void find_kind(int i, const row *r)
{
    int j = 0;

    kind_name(current, named[i].name);
    while (strcmp(named[j].name, named[i].name) != 0)
        j++;
    named[i].is_first = j == i;
    for (int k = 0; k < ROW_FLAGS; k++)
        named[i].is_frame |= r->flags[k] && (strcmp(flags[k], "INLAY_ADOPTS") == 0 ||
                                             strcmp(flags[k], "INLAY_DEFERRED") == 0);
}

/* Prints the kinds that are part of graphs in general, or the others, numbered from N on. Returns
 * the next number. */
static int print_named(bool frame, int n)
{
    for (int i = 0; i < N_ROWS; i++) {
        if (named[i].is_first && named[i].is_frame == frame)
            printf("    INLAY_OP_%s = %d,\n", named[i].name, n++);
    }
    return n;
}

static int count_frame(void)
{
    int n = 0;

    for (int i = 0; i < N_ROWS; i++)
        n += named[i].is_first && named[i].is_frame;
    return n;
}

enum { N_ROWLESS = 2 }; /* the number of kinds without a row */

/* Prints a number by which programs can be recognised that were compiled with other kinds and
 * roles. */
static void print_fingerprint(void)
{
    unsigned h = 2166136261u;

    for (int i = 0; i < N_ROWS; i++)
        h = hash_of(h, named[i].name);
    for (int r = 0; r < ROW_ROLES; r++)
        h = hash_of(h, roles[r][0]);
    printf("#define INLAY_OPS_FINGERPRINT 0x%08xu /* of both lists */\n\n", h);
}

static void print_kinds(void)
{
    printf(
        "/* Generated from ir/ops/ops.def: the operations that graphs are made of, and roles. */\n"
        "#ifndef INLAY_KINDS_H\n#define INLAY_KINDS_H\n\n"
        "/* One per operation name: these, or one of inlay_ops.h. */\n"
        "typedef int inlay_op_kind;\nenum {\n"
        "    INLAY_OP_STAND_IN = 0, /* an operation that the set does not have */\n"
        "    INLAY_OP_ADDED = 1,    /* one that the caller has added to it */\n");
    each_row(find_kind);
    print_named(true, N_ROWLESS);
    printf("};\n\n");
    print_roles();
    printf("#endif\n");
}

static void print_header(void)
{
    printf("/* Generated from ir/ops/ops.def: the other kinds of operations. */\n"
           "#ifndef INLAY_OPS_H\n#define INLAY_OPS_H\n\n#include \"inlay_kinds.h\"\n\nenum {\n");
    each_row(find_kind);
    printf("    INLAY_N_OP_KINDS = %d\n};\n\n", print_named(false, N_ROWLESS + count_frame()));
    print_fingerprint();
    printf("#endif\n");
}

/* Whether LINE defines PREFIX_NAME, as a function or by a macro: "bool infer_pad(" or "UNARY(exp,".
 */
static bool defines(const char *line, const char *prefix, const char *name)
{
    size_t n = strlen(name);
    char head[TEXT];
    const char *p = line;

    snprintf(head, sizeof head, "bool %s_%s(", prefix, name);
    if (strncmp(line, head, strlen(head)) == 0)
        return !strchr(line, ';');
    while (isupper((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_')
        p++;
    return p > line && *p++ == '(' && strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == ')');
}

static void check_place(const char *folder, const char *prefix, const char *name)
{
    char family[TEXT], path[2 * TEXT], line[2 * TEXT];
    bool found = false;
    FILE *f;

    family_of(current, family);
    snprintf(path, sizeof path, "%s/%s.c", folder, family);
    f = fopen(path, "r");
    while (f && !found && fgets(line, sizeof line, f))
        found = defines(line, prefix, name);
    if (f)
        fclose(f);
    if (!found)
        die("%s does not define %s_%s", path, prefix, name);
}

static void check_places(void)
{
    for (int i = 0; i < N_ROWS; i++) {
        current = &rows[i];
        check_place("ir/infer", "infer", current->infer);
        check_place("interp/kernels", "eval", current->eval);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "kinds") == 0)
        print_kinds();
    else if (argc == 2 && strcmp(argv[1], "header") == 0)
        print_header();
    else if (argc == 2 && strcmp(argv[1], "table") == 0)
        print_table();
    else if (argc == 2 && strcmp(argv[1], "places") == 0)
        check_places();
    else
        return 2;
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
