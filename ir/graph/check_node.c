/* Checks one node against its row of the op table: arity, attributes, operand types. All readers
 * and shorthands call this, so that a wrong node gives the same message in every format. */

#include "ir/base/argument.h"
#include "ir/graph/node.h"

#include <stdio.h>
#include <string.h>

/* "5", "5 or 6", "1 to 3", "at least 1" */
static void wanted_inputs(const inlay_op *op, char *buf, size_t size)
{
    if (op->variadic_in)
        snprintf(buf, size, "at least %d", op->min_in);
    else if (op->min_in == op->n_in)
        snprintf(buf, size, "%d", op->n_in);
    else
        snprintf(buf, size, "%d %s %d", op->min_in, op->n_in == op->min_in + 1 ? "or" : "to",
                 op->n_in);
}

static bool check_inputs(const inlay_node *n, inlay_diags *d)
{
    const inlay_op *op = n->op;

    if (n->n_in < op->min_in || (n->n_in > op->n_in && !op->variadic_in)) {
        char wanted[64];

        wanted_inputs(op, wanted, sizeof wanted);
        return inlay_fail_node(d, n, "has %d input%s, it must have %s", n->n_in,
                               inlay_plural(n->n_in, "", "s"), wanted);
    }
    for (int i = 0; i < n->n_in; i++) {
        if (!n->in[i].value && !inlay_op_operand_info(op, i)->optional)
            return inlay_fail_node(d, n, "input %d \"%s\" is missing", i,
                                   inlay_op_operand_info(op, i)->name);
    }
    return true;
}

static bool check_outputs(const inlay_node *n, inlay_diags *d)
{
    int wanted = inlay_node_n_out(n);

    if (wanted < 0 || n->n_out == wanted)
        return true;
    return inlay_fail_node(d, n, "has %d output%s, it must have %d", n->n_out,
                           inlay_plural(n->n_out, "", "s"), wanted);
}

static bool check_enum(const inlay_node *n, int i, inlay_diags *d)
{
    const inlay_attr_info *info = &n->op->attrs[i];

    for (const char *const *name = info->allowed; *name; name++) {
        if (n->attrs[i].as.s && strcmp(*name, n->attrs[i].as.s) == 0)
            return true;
    }
    return inlay_fail_node(d, n, "attribute \"%s\" is \"%s\", which is not one of its names",
                           info->name, n->attrs[i].as.s ? n->attrs[i].as.s : "");
}

static bool check_attrs(const inlay_node *n, inlay_diags *d)
{
    for (int i = 0; i < n->op->n_attrs; i++) {
        const inlay_attr_info *info = &n->op->attrs[i];

        if (info->required && !n->attrs[i].set)
            return inlay_fail_node(d, n, "attribute \"%s\" is missing", info->name);
        if (info->kind == INLAY_ATTR_ENUM && n->attrs[i].set && !check_enum(n, i, d))
            return false;
    }
    return true;
}

/* A constraint of ops.def in words: "i32|i64" is "i32 or i64", "num" is "integer or float". */
static const char *constraint_word(const char *name, size_t len)
{
    static const char *const words[][2] = {{"num", "integer or float"},
                                           {"numb", "integer, float or boolean"},
                                           {"float", "a float type"},
                                           {"int", "an integer type"},
                                           {"signed", "a signed integer type"},
                                           {"unsigned", "an unsigned integer type"},
                                           {"any", "a type that tensors can have"}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i][0]) == len && strncmp(words[i][0], name, len) == 0)
            return words[i][1];
    }
    return NULL;
}

static void constraint_text(const char *constraint, char *buf, size_t size)
{
    size_t n = 0;

    buf[0] = '\0';
    for (const char *p = constraint; *p && n < size;) {
        size_t len = strcspn(p, "|");
        const char *word = constraint_word(p, len), *sep = "";
        bool last = p[len] == '\0';
        int wrote;

        if (p > constraint)
            sep = last ? " or " : ", ";
        if (word)
            wrote = snprintf(buf + n, size - n, "%s%s", sep, word);
        else
            wrote = snprintf(buf + n, size - n, "%s%.*s", sep, (int)len, p);
        n += wrote > 0 ? (size_t)wrote : 0;
        p += len + !last;
    }
}

static bool check_type_set(const inlay_node *n, int i, const inlay_operand_info *info,
                           inlay_type type, inlay_diags *d)
{
    char wanted[256];

    if (info->types >> type & 1)
        return true;
    constraint_text(info->constraint, wanted, sizeof wanted);
    return inlay_fail_node(d, n, "input %d \"%s\" has type %s, it must be %s", i, info->name,
                           inlay_type_info_of(type)->name, wanted);
}

/* Inputs I and FIRST, which must have one type, do not. */
static bool fail_unlike(const inlay_node *n, int i, int first, inlay_diags *d)
{
    return inlay_fail_node(d, n, "input %d \"%s\" has type %s, it must be %s like input %d \"%s\"",
                           i, inlay_op_operand_info(n->op, i)->name,
                           inlay_type_info_of(n->in[i].value->fact.type)->name,
                           inlay_type_info_of(n->in[first].value->fact.type)->name, first,
                           inlay_op_operand_info(n->op, first)->name);
}

enum { MAX_VARS = 16 }; /* opgen refuses rows with more */

static bool check_types(const inlay_node *n, inlay_diags *d)
{
    int first[MAX_VARS]; /* the first input with a known type for each type variable */
    unsigned bound = 0;  /* the bits of those that have one */

    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const inlay_operand_info *info = inlay_op_operand_info(n->op, i);
        inlay_type type = v ? v->fact.type : INLAY_DYNAMIC;

        if (type == INLAY_DYNAMIC)
            continue;
        if (info->var >= 0 && bound >> info->var & 1 &&
            n->in[first[info->var]].value->fact.type != type)
            return fail_unlike(n, i, first[info->var], d);
        if (!check_type_set(n, i, info, type, d))
            return false;
        if (info->var >= 0 && !(bound >> info->var & 1)) {
            first[info->var] = i;
            bound |= 1U << info->var;
        }
    }
    return true;
}

bool inlay_check_node(const inlay_node *n, inlay_diags *d)
{
    if (inlay_is_missing(n, "node", d))
        return false;
    if (n->op->flags & INLAY_STAND_IN)
        return true;
    return check_inputs(n, d) && check_attrs(n, d) && check_outputs(n, d) && check_types(n, d);
}

int inlay_node_n_out(const inlay_node *n)
{
    const inlay_op *op = n ? n->op : NULL;
    const inlay_value *v;

    if (!op)
        return -1;
    if (op->n_out >= 0)
        return op->n_out;
    if (op->count_attr)
        return op->attrs[inlay_op_attr(op, op->count_attr)].kind == INLAY_ATTR_BOOL
                   ? 2 - inlay_node_bool(n, op->count_attr)
                   : (int)inlay_node_int(n, op->count_attr);
    v = op->count_in >= 0 ? inlay_node_input(n, op->count_in) : NULL;
    if (v && v->fact.known)
        return v->fact.n_known;
    if (v && v->fact.rank == 1 && inlay_dim_is_static(v->fact.dims[0]))
        return (int)v->fact.dims[0].lo;
    return -1;
}
