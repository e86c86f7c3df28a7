/* Compiles ops.def into constant tables at build time, so that a malformed row is a build error and
 * nothing is parsed at start-up. A host program: `opgen header` writes inlay_ops.h, `opgen table`
 * writes op_table.inc, which op.c includes, `opgen places` (from the top of the tree) refuses a row
 * whose functions do not stand in the files of its family. The grammar of a row stands at the top
 * of ops.def.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *type;
    int version;
    const char *opsets, *inputs, *outputs, *attrs, *flags, *infer, *eval;
    const char *file; /* ir/ops/<family>.def */
    int line;
};

#define OP(type, version, opsets, inputs, outputs, attrs, flags, infer, eval)                      \
    {type, version, opsets, inputs, outputs, attrs, flags, #infer, #eval, __FILE__, __LINE__},
static const struct row rows[] = {
#include "ir/ops/ops.def"
};
#undef OP

enum { N_ROWS = sizeof rows / sizeof rows[0], MAX_VARS = 16, MAX_FIELDS = 64, TEXT = 512 };

static const struct row *current; /* for messages of this program */

static void die(const char *fmt, ...)
{
    va_list args;

    fprintf(stderr, "%s:%d: %s-%d: ", current->file, current->line, current->type,
            current->version);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

/* "ir/ops/pad.def" -> "pad" */
static void family_of(const struct row *row, char out[TEXT])
{
    const char *slash = strrchr(row->file, '/'), *name = slash ? slash + 1 : row->file;
    const char *dot = strrchr(name, '.');

    if (!dot || dot - name >= TEXT)
        die("the file is not called FAMILY.def");
    memcpy(out, name, (size_t)(dot - name));
    out[dot - name] = '\0';
}

/* Splits TEXT at SEP outside of parentheses and brackets, trims blanks. Returns the number of
 * fields. */
static int split(const char *text, char sep, char fields[MAX_FIELDS][TEXT])
{
    int n = 0;
    const char *p = text;

    while (*p) {
        int depth = 0, len = 0;

        while (isspace((unsigned char)*p))
            p++;
        if (!*p)
            break;
        if (n == MAX_FIELDS)
            die("more than %d fields", MAX_FIELDS);
        while (*p && (depth > 0 || *p != sep)) {
            depth += (*p == '(') - (*p == ')');
            if (len == TEXT - 1)
                die("field is too long");
            fields[n][len++] = *p++;
        }
        while (len > 0 && isspace((unsigned char)fields[n][len - 1]))
            len--;
        fields[n][len] = '\0';
        if (len == 0)
            die("empty field in \"%s\"", text);
        n++;
        if (*p)
            p++;
    }
    return n;
}

/* "opset4..14 as opset3" -> set "opset", 4, 14, "opset3" */
struct opsets {
    char set[32];
    int first, last;
    char written[32];
};

static struct opsets parse_opsets(const struct row *row)
{
    struct opsets o = {{0}, 0, 0, {0}};
    char as[32] = "";
    int n = 0, set = (int)strcspn(row->opsets, "0123456789 ");

    if (set == 0 || set > 31)
        die("opsets \"%s\": no set name", row->opsets);
    memcpy(o.set, row->opsets, (size_t)set);
    if (row->opsets[set] == '\0') {
        strcpy(o.written, o.set);
        return o;
    }
    if (sscanf(row->opsets + set, "%d..%n", &o.first, &n) < 1)
        die("opsets \"%s\": a number is expected after the set", row->opsets);
    o.last = o.first;
    if (n > 0) {
        const char *rest = row->opsets + set + n;
        int used = 0;

        o.last = 9999;
        if (sscanf(rest, "%d%n", &o.last, &used) == 1)
            rest += used;
        if (*rest && sscanf(rest, " as %31s", as) != 1)
            die("opsets \"%s\": what is \"%s\"?", row->opsets, rest);
    }
    if (o.last < o.first)
        die("opsets \"%s\": empty range", row->opsets);
    if (*as)
        strcpy(o.written, as);
    else
        snprintf(o.written, sizeof o.written, "%.20s%d", o.set, o.first);
    return o;
}

/* ScatterNDUpdate -> SCATTER_ND_UPDATE; an ONNX operator gets ONNX_ in front, because it shares
 * names but not signatures with OpenVINO's. */
static void kind_name(const struct row *row, char *out)
{
    const char *p = row->type;
    char *q = out;

    if (strncmp(row->opsets, "onnx", 4) == 0)
        q += sprintf(q, "ONNX_");
    for (; *p; p++) {
        bool boundary = p > row->type && isupper((unsigned char)*p) &&
                        (islower((unsigned char)p[-1]) || isdigit((unsigned char)p[-1]) ||
                         (isupper((unsigned char)p[-1]) && islower((unsigned char)p[1])));
        if (strncmp(p, "ReLU", 4) == 0) { /* one word, whatever its capitals say */
            q += sprintf(q, p > row->type && p[-1] != 'P' ? "_RELU" : "RELU");
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

/* What an operand or attribute is to its operation. One that is named like a role has it; others
 * write name@role. Between start and axes the order is that of the operands of a Slice. */
static const char *const roles[][2] = {
    {"none", "of no concern to others, whatever its name is"},
    {"data", "the tensor that is read at places, changed or moved"},
    {"updates", "what takes the place of elements of data"},
    {"start", "of a window on data: where it begins,"},
    {"stop", "where it ends, which is cut to the axis,"},
    {"step", "how far its positions are apart,"},
    {"axes", "axes of data; of a window: those that it cuts"},
    {"axis", "an axis of data"},
    {"indices", "positions along the axis that role axis names"},
    {"tuples", "positions on the first axes of data, the last dimension being one of them"},
    {"shape", "the sizes of the result, or of data"},
    {"lengths", "the sizes of the results along the axis"},
    {"repeats", "how often data is repeated along each axis"},
    {"count", "how many there are to be"},
    {"order", "all axes of data, in another order"},
    {"prefixes", "how many of the first positions along the axis, one or more of them"},
    {"batch", "how many of the first axes data and indices, or tuples, have in common"}};

enum { N_ROLES = sizeof roles / sizeof roles[0], NO_ROLE = 0 };

/* Which input and which attribute of one row has a role; -1: none. */
struct by_role {
    int in[N_ROLES], attr[N_ROLES];
};

static int find_role(const char *name)
{
    int r = N_ROLES;

    while (--r > NO_ROLE && strcmp(roles[r][0], name) != 0)
        ;
    return r;
}

/* "begin@start" -> start, "start" -> start, "gamma" -> none; NAME loses its role. */
static int cut_role(char *name)
{
    char *at = strchr(name, '@');
    int own, role;

    if (at)
        *at = '\0';
    own = find_role(name);
    if (!at)
        return own;
    role = find_role(at + 1);
    if (role == NO_ROLE && strcmp(at + 1, roles[NO_ROLE][0]) != 0)
        die("unknown role \"%s\"", at + 1);
    if (role == own)
        die("\"%s\" has role %s without saying so", name, at + 1);
    return role;
}

/* NTH of what (an input, an attribute) has ROLE, which only one of them may have. */
static void note_role(struct by_role *by, int *of, int role, int nth)
{
    if (role == NO_ROLE)
        return;
    if (by->in[role] >= 0 || by->attr[role] >= 0)
        die("two have role %s", roles[role][0]);
    of[role] = nth;
}

static void role_name(int role, char *out)
{
    const char *p = roles[role][0];

    out += sprintf(out, "INLAY_ROLE_");
    while (*p)
        *out++ = (char)toupper((unsigned char)*p++);
    *out = '\0';
}

/* Type variables of one row: name -> constraint. */
struct vars {
    char name[MAX_VARS][8];
    char constraint[MAX_VARS][TEXT];
    int n;
};

static bool is_var(const char *s)
{
    if (!isupper((unsigned char)s[0]))
        return false;
    for (s++; *s && *s != ':'; s++) {
        if (!isdigit((unsigned char)*s))
            return false;
    }
    return true;
}

/* "T:num" -> index of T in VARS, its constraint bound; "boolean" -> -1 and the constraint. */
static int parse_type(const char *text, struct vars *vars, char *constraint)
{
    const char *colon = strchr(text, ':');
    size_t len = colon ? (size_t)(colon - text) : strlen(text);

    if (!is_var(text)) {
        strcpy(constraint, text);
        return -1;
    }
    for (int i = 0; i < vars->n; i++) {
        if (strlen(vars->name[i]) == len && strncmp(vars->name[i], text, len) == 0) {
            if (colon)
                die("type variable %s has two constraints", vars->name[i]);
            strcpy(constraint, vars->constraint[i]);
            return i;
        }
    }
    if (vars->n == MAX_VARS || len > 7)
        die("type variable %s: too many or too long", text);
    memcpy(vars->name[vars->n], text, len);
    vars->name[vars->n][len] = '\0';
    strcpy(vars->constraint[vars->n], colon ? colon + 1 : "any");
    strcpy(constraint, vars->constraint[vars->n]);
    return vars->n++;
}

/* "i32|i64" -> "SET_i32 | SET_i64": op.c defines the sets, an unknown one does not compile. */
static void print_set(const char *constraint)
{
    char copy[TEXT];
    const char *sep = "";

    strcpy(copy, constraint);
    for (char *p = strtok(copy, "|"); p; p = strtok(NULL, "|")) {
        printf("%sSET_%s", sep, p);
        sep = " | ";
    }
}

static void print_operand(const char *name, const char *constraint, int var, bool optional,
                          int role)
{
    char word[TEXT];

    role_name(role, word);
    printf("    {\"%s\", ", name);
    print_set(constraint);
    printf(", %d, \"%s\", %s, %s},\n", var, constraint, optional ? "true" : "false", word);
}

struct inputs {
    int n, min;
    bool variadic;
};

static struct inputs print_inputs(int index, const char *text, struct vars *vars,
                                  struct by_role *by)
{
    static char fields[MAX_FIELDS][TEXT];
    struct inputs in = {0, 0, false};

    in.n = split(text, ',', fields);
    printf("static const inlay_operand_info in_%d[] = {\n", index);
    for (int i = 0; i < in.n; i++) {
        char type[TEXT], name[TEXT], constraint[TEXT], *f = fields[i];
        bool optional = f[0] == '[';
        size_t len = strlen(f);
        int var, role;

        if (in.variadic)
            die("input after a variadic one");
        if (optional) {
            if (f[len - 1] != ']')
                die("input \"%s\": ] is missing", f);
            f[len - 1] = '\0';
            f++;
        } else if (in.min < i) {
            die("required input \"%s\" after an optional one", f);
        }
        if (sscanf(f, "%s %s", type, name) != 2)
            die("input \"%s\" is not TYPE name", f);
        len = strlen(name);
        if (len > 3 && strcmp(name + len - 3, "...") == 0) {
            name[len - 3] = '\0';
            in.variadic = true;
        }
        if (!optional)
            in.min++;
        role = cut_role(name);
        note_role(by, by->in, role, i);
        var = parse_type(type, vars, constraint);
        print_operand(name, constraint, var, optional, role);
    }
    if (in.n == 0)
        printf("    {NULL, 0, -1, NULL, false, INLAY_ROLE_NONE},\n");
    printf("};\n");
    return in;
}

struct outputs {
    int n, count_in;
    char count_attr[TEXT], type_attr[TEXT];
};

/* "name{num_splits}", "name{#2}", "name...": how many outputs there are */
static void parse_count(char *name, struct outputs *out)
{
    char *brace = strchr(name, '{');
    size_t len = strlen(name);

    if (len > 3 && strcmp(name + len - 3, "...") == 0) {
        name[len - 3] = '\0';
        out->n = -1;
    } else if (brace) {
        out->n = -1;
        *brace = '\0';
        name[len - 1] = '\0';
        if (brace[1] == '#')
            out->count_in = atoi(brace + 2);
        else
            strcpy(out->count_attr, brace + 1);
    }
}

static struct outputs print_outputs(int index, const char *text, struct vars *vars)
{
    static char fields[MAX_FIELDS][TEXT];
    struct outputs out = {0, -1, "", ""};
    int n = split(text, ',', fields);

    out.n = n;
    printf("static const inlay_operand_info out_%d[] = {\n", index);
    for (int i = 0; i < n; i++) {
        char type[TEXT], name[TEXT] = "output", constraint[TEXT];
        int var = -1, role;

        if (sscanf(fields[i], "%s %s", type, name) < 1)
            die("output \"%s\" is not TYPE name", fields[i]);
        parse_count(name, &out);
        role = cut_role(name);
        if (type[0] == '@') {
            if (i == 0)
                strcpy(out.type_attr, type + 1);
            strcpy(constraint, "any");
        } else {
            var = parse_type(type, vars, constraint);
        }
        print_operand(name, constraint, var, false, role);
    }
    if (n == 0)
        printf("    {NULL, 0, -1, NULL, false, INLAY_ROLE_NONE},\n");
    printf("};\n");
    return out;
}

static const char *const kinds[][2] = {
    {"bool", "BOOL"},     {"int", "INT"},          {"float", "FLOAT"}, {"number", "NUMBER"},
    {"string", "STRING"}, {"enum", "ENUM"},        {"type", "TYPE"},   {"ints", "INTS"},
    {"floats", "FLOATS"}, {"strings", "STRINGS"},  {"types", "TYPES"}, {"shape", "SHAPE"},
    {"tensor", "TENSOR"}, {"variable", "VARIABLE"}};

static const char *attr_kind(const char *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i][0], kind) == 0)
            return kinds[i][1];
    }
    die("unknown attribute kind \"%s\"", kind);
    return NULL;
}

static void print_default(const char *kind, const char *text)
{
    printf("{true, ");
    if (strcmp(kind, "BOOL") == 0) {
        printf("0, {.b = %s}}", text);
    } else if (strcmp(kind, "INT") == 0) {
        printf("0, {.i = %s}}", text);
    } else if (strcmp(kind, "FLOAT") == 0) {
        printf("0, {.f = %s}}", text);
    } else if (strcmp(kind, "STRING") == 0 || strcmp(kind, "ENUM") == 0) {
        printf("0, {.s = \"%s\"}}", text);
    } else if (strcmp(kind, "TYPE") == 0) {
        printf("0, {.type = TYPE_%s}}", text);
    } else if (strcmp(kind, "INTS") == 0) {
        int n = *text != '\0';

        for (const char *p = text; *p; p++)
            n += *p == ';';
        printf("%d, {.ints = (const int64_t[]){", n);
        for (const char *p = text; *p; p++)
            putchar(*p == ';' ? ',' : *p);
        printf("%s}}}", n ? "" : "0");
    } else {
        die("an attribute of this kind cannot have a default");
    }
}

/* enum mode(a|b|c)=a: prints the list of allowed names, removes it from NAME */
static void print_allowed(int row, int attr, char *name)
{
    char *open = strchr(name, '('), *close = strchr(name, ')');
    char list[TEXT];

    if (!open || !close || close < open)
        die("enum \"%s\" needs its names in parentheses", name);
    *close = '\0';
    strcpy(list, open + 1);
    printf("static const char *const allowed_%d_%d[] = {", row, attr);
    for (char *p = strtok(list, "|"); p; p = strtok(NULL, "|"))
        printf("\"%s\", ", p);
    printf("NULL};\n");
    memmove(open, close + 1, strlen(close + 1) + 1);
}

static int print_attrs(int index, const char *text, struct by_role *by)
{
    static char fields[MAX_FIELDS][TEXT], names[MAX_FIELDS][TEXT], attr_kinds[MAX_FIELDS][TEXT];
    int n = split(text, ',', fields);

    for (int i = 0; i < n; i++) {
        if (sscanf(fields[i], "%s %[^\n]", attr_kinds[i], names[i]) != 2)
            die("attribute \"%s\" is not KIND name", fields[i]);
        strcpy(attr_kinds[i], attr_kind(attr_kinds[i]));
        if (strcmp(attr_kinds[i], "ENUM") == 0)
            print_allowed(index, i, names[i]);
    }
    printf("static const inlay_attr_info attrs_%d[] = {\n", index);
    for (int i = 0; i < n; i++) {
        char *equals = strchr(names[i], '='), *maybe = strchr(names[i], '?');
        bool is_enum = strcmp(attr_kinds[i], "ENUM") == 0;

        if (equals)
            *equals = '\0';
        if (maybe && (!equals || maybe < equals))
            *maybe = '\0';
        else
            maybe = NULL;
        note_role(by, by->attr, cut_role(names[i]), i);
        printf("    {\"%s\", INLAY_ATTR_%s, %s, %s, ", names[i], attr_kinds[i],
               equals || maybe ? "false" : "true", equals ? "true" : "false");
        if (equals)
            print_default(attr_kinds[i], equals + 1);
        else
            printf("{false, 0, {.i = 0}}");
        if (is_enum)
            printf(", allowed_%d_%d},\n", index, i);
        else
            printf(", NULL},\n");
    }
    if (n == 0)
        printf("    {NULL, INLAY_ATTR_INT, false, false, {false, 0, {.i = 0}}, NULL},\n");
    printf("};\n");
    return n;
}

static const char *const flags[][2] = {{"strided", "INLAY_STRIDED"},
                                       {"commutes", "INLAY_COMMUTES"},
                                       {"pointwise", "INLAY_POINTWISE"},
                                       {"sink", "INLAY_SINK"},
                                       {"view", "INLAY_VIEW"},
                                       {"effect", "INLAY_EFFECT"},
                                       {"body", "INLAY_HAS_BODY"},
                                       {"scatter", "INLAY_SCATTER"},
                                       {"moves", "INLAY_MOVES"},
                                       {"counts", "INLAY_COUNTS"},
                                       {"adopts", "INLAY_ADOPTS"},
                                       {"reshapes", "INLAY_RESHAPES"},
                                       {"cuts", "INLAY_CUTS"},
                                       {"converts", "INLAY_CONVERTS"},
                                       {"shape_only", "INLAY_SHAPE_ONLY"}};

/* Inputs that flags name, -1: none. */
struct named {
    int overwrites, faults;
};

static struct named print_flags(const char *text)
{
    static char fields[MAX_FIELDS][TEXT];
    struct named named = {-1, -1};
    int n = split(text, ' ', fields);

    for (int i = 0; i < n; i++) {
        size_t k = 0, n_flags = sizeof flags / sizeof flags[0];

        if (sscanf(fields[i], "overwrites=%d", &named.overwrites) == 1 ||
            sscanf(fields[i], "faults=%d", &named.faults) == 1)
            continue;
        while (k < n_flags && strcmp(flags[k][0], fields[i]) != 0)
            k++;
        if (k == n_flags)
            die("unknown flag \"%s\"", fields[i]);
        printf("%s | ", flags[k][1]);
    }
    printf("0");
    return named;
}

static void print_string_or_null(const char *s)
{
    if (*s)
        printf("\"%s\", ", s);
    else
        printf("NULL, ");
}

/* One row is printed in two parts: its arrays now, its struct later; what the struct needs is kept.
 */
static struct kept {
    struct inputs in;
    struct outputs out;
    int n_attrs;
} kept[N_ROWS];

static void print_by_role(const char *name, int index, const int *of)
{
    printf("static const signed char %s_%d[] = {", name, index);
    for (int r = 0; r < N_ROLES; r++)
        printf("%d, ", of[r]);
    printf("};\n");
}

static void print_arrays(int i)
{
    struct vars vars;
    struct by_role by;

    memset(&vars, 0, sizeof vars);
    memset(&by, -1, sizeof by);
    kept[i].in = print_inputs(i, current->inputs, &vars, &by);
    kept[i].out = print_outputs(i, current->outputs, &vars);
    kept[i].n_attrs = print_attrs(i, current->attrs, &by);
    print_by_role("in_of", i, by.in);
    print_by_role("attr_of", i, by.attr);
}

static void print_struct(int i)
{
    struct opsets o = parse_opsets(current);
    char kind[TEXT], family[TEXT];
    struct named named;

    kind_name(current, kind);
    family_of(current, family);
    printf("    {\"%s\", INLAY_OP_%s, %d, \"%s\", \"%s\", %d, %d, \"%s\",\n     in_%d, %d, %d, %s, "
           "out_%d, "
           "%d, ",
           current->type, kind, current->version, family, o.set, o.first, o.last, o.written, i,
           kept[i].in.n, kept[i].in.min, kept[i].in.variadic ? "true" : "false", i, kept[i].out.n);
    print_string_or_null(kept[i].out.count_attr);
    printf("%d, ", kept[i].out.count_in);
    print_string_or_null(kept[i].out.type_attr);
    printf("attrs_%d, %d,\n     .in_of = in_of_%d, .attr_of = attr_of_%d, .flags = ", i,
           kept[i].n_attrs, i, i);
    named = print_flags(current->flags);
    if (named.overwrites >= kept[i].in.n)
        die("overwrites=%d: there is no such input", named.overwrites);
    if (named.faults >= kept[i].in.n)
        die("faults=%d: there is no such input", named.faults);
    printf(", .overwrites = %d, .faults = %d, .infer = infer_%s, .row = %d},\n", named.overwrites,
           named.faults, current->infer, i);
}

static int by_type(const void *a, const void *b)
{
    const struct row *x = &rows[*(const int *)a], *y = &rows[*(const int *)b];
    const char *p = x->type, *q = y->type;

    while (*p && tolower((unsigned char)*p) == tolower((unsigned char)*q))
        p++, q++;
    if (tolower((unsigned char)*p) != tolower((unsigned char)*q))
        return tolower((unsigned char)*p) - tolower((unsigned char)*q);
    return *(const int *)a - *(const int *)b;
}

/* Row numbers sorted by type, for binary search. */
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

static void print_table(void)
{
    for (int i = 0; i < N_ROWS; i++) {
        current = &rows[i];
        print_arrays(i);
        for (int j = 0; j <= i; j++) {
            if (strcmp(rows[j].infer, current->infer) == 0) {
                if (j == i)
                    printf("bool infer_%s(inlay_infer *cx);\n", current->infer);
                break;
            }
        }
    }
    printf("static const inlay_op op_table[] = {\n");
    for (int i = 0; i < N_ROWS; i++) {
        current = &rows[i];
        print_struct(i);
    }
    printf("};\n");
    print_index();
}

static void print_roles(void)
{
    char word[TEXT];

    printf("/* What an operand or attribute is to its operation. */\n"
           "typedef enum inlay_role {\n");
    for (int r = 0; r < N_ROLES; r++) {
        role_name(r, word);
        printf("    %s, /* %s */\n", word, roles[r][1]);
    }
    printf("    INLAY_N_ROLES\n} inlay_role;\n\n");
}

/* FNV-1a */
static unsigned hash_of(unsigned h, const char *s)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h * 16777619u;
}

/* Programs that were compiled with other numbers of kinds and roles can be told by this one. */
static void print_fingerprint(char names[N_ROWS][TEXT])
{
    unsigned h = 2166136261u;

    for (int i = 0; i < N_ROWS; i++)
        h = hash_of(h, names[i]);
    for (int r = 0; r < N_ROLES; r++)
        h = hash_of(h, roles[r][0]);
    printf("#define INLAY_OPS_FINGERPRINT 0x%08xu /* of both lists */\n\n", h);
}

static void print_header(void)
{
    static char names[N_ROWS][TEXT];

    printf("/* Generated from ir/ops/ops.def: one kind per operation name. */\n"
           "#ifndef INLAY_OPS_H\n#define INLAY_OPS_H\n\ntypedef enum inlay_op_kind {\n"
           "    INLAY_OP_STAND_IN,\n");
    for (int i = 0; i < N_ROWS; i++) {
        int j = 0;

        current = &rows[i];
        kind_name(current, names[i]);
        while (strcmp(names[j], names[i]) != 0)
            j++;
        if (j == i)
            printf("    INLAY_OP_%s,\n", names[i]);
    }
    printf("    INLAY_N_OP_KINDS\n} inlay_op_kind;\n\n");
    print_roles();
    print_fingerprint(names);
    printf("#endif\n");
}

/* LINE defines PREFIX_NAME, as a function or by a macro: "bool infer_pad(" or "UNARY(exp,". */
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
    if (argc == 2 && strcmp(argv[1], "header") == 0)
        print_header();
    else if (argc == 2 && strcmp(argv[1], "table") == 0)
        print_table();
    else if (argc == 2 && strcmp(argv[1], "places") == 0)
        check_places();
    else
        return 2;
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
