/* Compiles rows at run time: row.c parses them, and they are converted to the same structures that
 * opgen generates for the built-in ones. */
#include "ir/ops/compile.h"
#include "ir/base/arena.h"
#include "ir/ops/row.h"
#include "ir/ops/types.h"
#include "ir/tensor/number.h"

#include <stdlib.h>
#include <string.h>

#define ROLE_OF(name, NAME, text) INLAY_ROLE_##NAME,
static const inlay_role roles[] = {INLAY_ROW_ROLES(ROLE_OF)};
#define KIND_OF(name, NAME) INLAY_ATTR_##NAME,
static const inlay_attr_kind kinds[] = {INLAY_ROW_KINDS(KIND_OF)};
#define FLAG_OF(name, NAME) INLAY_##NAME,
static const unsigned flags[] = {INLAY_ROW_FLAGS(FLAG_OF)};
#define TYPES_OF(name) {#name, SET_##name},
static const struct {
    const char *name;
    inlay_type_set set;
} types[] = {INLAY_ROW_TYPES(TYPES_OF)};

/* The state of compiling. If OUT_OF_MEMORY is set, the rest is not valid. */
typedef struct compiler {
    const inlay_op_def *def;
    const row *row;
    inlay_arena *arena;
    inlay_diags *diags;
    bool out_of_memory;
} compiler;

bool op_refuse(const inlay_op_def *def, inlay_diags *d, const char *what)
{
    inlay_pos pos = {def->file, def->line};

    return inlay_fail(d, def->file ? &pos : NULL, "operation %s-%d: %s", def->type ? def->type : "",
                      def->version, what);
}

static void *array(compiler *c, int n, size_t size)
{
    void *p = inlay_arena_array(c->arena, (size_t)n + 1, size);

    c->out_of_memory = c->out_of_memory || !p;
    return p;
}

static const char *copy(compiler *c, row_word w)
{
    char *p = inlay_arena_strndup(c->arena, w.text, (size_t)w.length);

    c->out_of_memory = c->out_of_memory || !p;
    return p;
}

static const char *copy_or_null(compiler *c, row_word w)
{
    return w.length > 0 ? copy(c, w) : NULL;
}

static inlay_type_set set_of(row_word words)
{
    inlay_type_set set = 0;
    row_word one;

    while (row_cut(&words, '|', &one)) {
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
            if (row_is(one, types[i].name))
                set |= types[i].set;
        }
    }
    return set;
}

static const inlay_operand_info *operands(compiler *c, const row_operand *o, int n)
{
    inlay_operand_info *info = array(c, n, sizeof *info);

    for (int i = 0; info && i < n; i++) {
        info[i] = (inlay_operand_info){.name = copy(c, o[i].name),
                                       .types = set_of(o[i].types),
                                       .var = o[i].var,
                                       .constraint = copy(c, o[i].types),
                                       .optional = o[i].optional,
                                       .role = roles[o[i].role]};
    }
    return info;
}

/* Returns the words between separators as an array that ends with NULL. */
static const char *const *names(compiler *c, row_word words)
{
    row_word rest = words, one;
    const char **list;
    int n = 0;

    while (row_cut(&rest, '|', &one))
        n++;
    list = array(c, n, sizeof *list);
    for (int i = 0; list && row_cut(&words, '|', &one); i++)
        list[i] = copy(c, one);
    return list;
}

/* Reads a list such as "0;1". */
static bool read_ints(compiler *c, row_word words, inlay_attr *a)
{
    row_word rest = words, one;
    int64_t *list;
    bool ok = true;

    while (row_cut(&rest, ';', &one))
        a->n++;
    list = array(c, a->n, sizeof *list);
    a->as.ints = list;
    for (int i = 0; list && ok && row_cut(&words, ';', &one); i++) {
        const char *text = copy(c, one);

        ok = text && inlay_element_parse(INLAY_I64, text, &list[i], 0);
    }
    return ok;
}

/* Returns false if the text is no value of KIND. */
static bool read_default(compiler *c, inlay_attr_kind kind, row_word words, inlay_attr *a)
{
    const char *text = copy(c, words);

    a->set = true;
    if (!text)
        return true;
    switch (kind) {
    case INLAY_ATTR_BOOL:
        a->as.b = strcmp(text, "true") == 0;
        return a->as.b || strcmp(text, "false") == 0;
    case INLAY_ATTR_INT:
        return inlay_element_parse(INLAY_I64, text, &a->as.i, 0);
    case INLAY_ATTR_FLOAT:
        return inlay_element_parse(INLAY_F64, text, &a->as.f, 0);
    case INLAY_ATTR_TYPE:
        return inlay_type_by_name(text, &a->as.type);
    case INLAY_ATTR_INTS:
        return read_ints(c, words, a);
    default:
        a->as.s = text;
        return true;
    }
}

static bool attributes(compiler *c, const inlay_attr_info **out)
{
    inlay_attr_info *info = array(c, c->row->n_attrs, sizeof *info);

    *out = info;
    for (int i = 0; info && i < c->row->n_attrs; i++) {
        const row_attr *a = &c->row->attrs[i];

        info[i].name = copy(c, a->name);
        info[i].kind = kinds[a->kind];
        info[i].required = a->required;
        info[i].has_default = a->has_default;
        info[i].allowed = a->allowed.length > 0 ? names(c, a->allowed) : NULL;
        if (a->has_default && !read_default(c, info[i].kind, a->otherwise, &info[i].dflt))
            return c->out_of_memory ||
                   op_refuse(c->def, c->diags, "a default is no value of its kind");
    }
    return true;
}

static const signed char *by_role(compiler *c, const signed char *of)
{
    signed char *list = array(c, ROW_ROLES, sizeof *list);

    if (list)
        memcpy(list, of, ROW_ROLES * sizeof *list);
    return list;
}

static unsigned all_flags(const row *r)
{
    unsigned all = 0;

    for (int i = 0; i < ROW_FLAGS; i++)
        all |= r->flags[i] ? flags[i] : 0;
    return all;
}

static bool fill(compiler *c, inlay_op *op)
{
    const row *r = c->row;

    op->name = inlay_arena_strdup(c->arena, c->def->type);
    op->written = inlay_arena_strdup(c->arena, r->written);
    op->kind = INLAY_OP_ADDED;
    op->version = c->def->version;
    op->family = "";
    op->set = copy(c, r->set);
    op->first = r->first;
    op->last = r->last;
    op->in = operands(c, r->in, r->n_in);
    op->n_in = r->n_in;
    op->min_in = r->min_in;
    op->variadic_in = r->variadic_in;
    op->out = operands(c, r->out, r->n_out);
    op->n_out = r->counted_out ? -1 : r->n_out;
    op->count_attr = copy_or_null(c, r->count_attr);
    op->count_in = r->count_in;
    op->type_attr = copy_or_null(c, r->type_attr);
    op->n_attrs = r->n_attrs;
    op->in_of = by_role(c, r->in_of);
    op->attr_of = by_role(c, r->attr_of);
    op->overwrites = r->overwrites;
    op->faults = r->faults;
    op->flags = all_flags(r);
    op->infer = c->def->infer;
    op->eval = c->def->eval;
    return attributes(c, &op->attrs) &&
           ((!c->out_of_memory && op->name && op->written) || inlay_fail_memory(c->diags));
}

static const inlay_op *compile(compiler *c, row *r, int number)
{
    const inlay_op_def *def = c->def;
    row_text text = {.type = def->type,
                     .version = def->version,
                     .opsets = def->opsets,
                     .inputs = def->inputs,
                     .outputs = def->outputs,
                     .attributes = def->attributes,
                     .flags = def->flags};
    inlay_op *op = inlay_arena_alloc(c->arena, sizeof *op);
    char why[256];

    if (!op) {
        inlay_fail_memory(c->diags);
        return NULL;
    }
    op->row = number;
    c->row = r;
    if (row_parse(&text, r, why, sizeof why))
        return fill(c, op) ? op : NULL;
    op_refuse(def, c->diags, why);
    return NULL;
}

const inlay_op *op_compile(const inlay_op_def *def, int number, inlay_arena *arena, inlay_diags *d)
{
    compiler c = {.def = def, .arena = arena, .diags = d};
    row *r = malloc(sizeof *r);
    const inlay_op *op = NULL;

    if (!r)
        inlay_fail_memory(d);
    else
        op = compile(&c, r, number);
    free(r);
    return op;
}
