/* Compiles the built-in rules at build time: `rulegen FILE...` reads rule files with the library's
 * parser and writes the rules as constants to rules.inc, which set.c includes. So a mistake in such
 * a file is a build error, and nothing is parsed when a program starts. */
#include "ir/shared.h"
#include "passes/rules/rule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_text(inlay_strbuf *out, const char *text)
{
    if (!text) {
        inlay_strbuf_puts(out, "NULL");
        return;
    }
    inlay_strbuf_puts(out, "\"");
    for (const char *p = text; *p; p++)
        inlay_strbuf_printf(out, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
    inlay_strbuf_puts(out, "\"");
}

static void put_integers(inlay_strbuf *out, const int64_t *x, int n)
{
    inlay_strbuf_puts(out, "(int64_t[]){");
    for (int i = 0; i < n; i++) /* C has no literal for the smallest number */
        inlay_strbuf_printf(out, "INT64_C(%" PRId64 ")%s,", x[i] == INT64_MIN ? x[i] + 1 : x[i],
                            x[i] == INT64_MIN ? " - 1" : "");
    inlay_strbuf_puts(out, n ? "}" : "0}");
}

static void put_ints(inlay_strbuf *out, const rule_ints *x)
{
    if (!x) {
        inlay_strbuf_puts(out, "NULL");
        return;
    }
    inlay_strbuf_printf(out, "&(const rule_ints){(inlay_type)%d, %d, %d, %d, %a, ", (int)x->type,
                        x->rank, x->n, x->is_real, x->real);
    put_integers(out, x->x, x->n);
    inlay_strbuf_puts(out, "}");
}

static void put_term(inlay_strbuf *out, const rule_term *t)
{
    inlay_strbuf_printf(out, "{(rule_term_kind)%d, %d, %d, %d, ", (int)t->kind, t->optional,
                        t->name, t->node);
    put_ints(out, t->ints);
    inlay_strbuf_printf(out, ", %u}", t->line);
}

static void put_terms(inlay_strbuf *out, const rule_term *list, int n)
{
    inlay_strbuf_puts(out, n ? "(rule_term[]){" : "NULL");
    for (int i = 0; i < n; i++) {
        put_term(out, &list[i]);
        inlay_strbuf_puts(out, ", ");
    }
    inlay_strbuf_puts(out, n ? "}" : "");
}

/* The member of inlay_attr that kind K uses. */
static void put_literal(inlay_strbuf *out, inlay_attr_kind k, const inlay_attr *a)
{
    inlay_strbuf_printf(out, "{%d, %d, ", a->set, a->n);
    switch (k) {
    case INLAY_ATTR_BOOL:
        inlay_strbuf_printf(out, "{.b = %d}", a->as.b);
        break;
    case INLAY_ATTR_FLOAT:
        inlay_strbuf_printf(out, "{.f = %a}", a->as.f);
        break;
    case INLAY_ATTR_STRING:
    case INLAY_ATTR_ENUM:
        inlay_strbuf_puts(out, "{.s = ");
        put_text(out, a->as.s);
        inlay_strbuf_puts(out, "}");
        break;
    case INLAY_ATTR_TYPE:
        inlay_strbuf_printf(out, "{.type = (inlay_type)%d}", (int)a->as.type);
        break;
    case INLAY_ATTR_INTS:
        inlay_strbuf_puts(out, "{.ints = ");
        put_integers(out, a->as.ints, a->n);
        inlay_strbuf_puts(out, "}");
        break;
    default: /* attrs.c reads no literals of other kinds than integers */
        inlay_strbuf_printf(out, "{.i = INT64_C(%" PRId64 ")}", a->as.i);
        break;
    }
    inlay_strbuf_puts(out, "}");
}

static void put_attrs(inlay_strbuf *out, const rule_node *n)
{
    static const inlay_attr none;

    inlay_strbuf_puts(out, n->n_attrs ? "(rule_attr[]){" : "NULL");
    for (int i = 0; i < n->n_attrs; i++) {
        const rule_attr *a = &n->attrs[i];

        inlay_strbuf_puts(out, "{");
        put_text(out, a->name);
        inlay_strbuf_printf(out, ", (inlay_attr_kind)%d, %d, ", (int)a->kind, a->var);
        put_literal(out, a->var < 0 ? a->kind : INLAY_ATTR_INT, a->var < 0 ? &a->literal : &none);
        inlay_strbuf_puts(out, "}, ");
    }
    inlay_strbuf_puts(out, n->n_attrs ? "}" : "");
}

static void put_node(inlay_strbuf *out, const rule_node *n)
{
    inlay_strbuf_puts(out, "\n     {");
    put_text(out, n->type);
    inlay_strbuf_puts(out, ", (const inlay_op *[]){");
    for (int i = 0; i < n->n_rows; i++)
        inlay_strbuf_printf(out, "&inlay_op_table[%d], ", n->rows[i]->row);
    inlay_strbuf_printf(out, "%s}, %d, %d, ", n->n_rows ? "" : "NULL", n->n_rows, n->op_name);
    put_terms(out, n->in, n->n_in);
    inlay_strbuf_puts(out, ", ");
    put_attrs(out, n);
    inlay_strbuf_puts(out, n->n_outs ? ", (int[]){" : ", NULL");
    for (int i = 0; i < n->n_outs; i++)
        inlay_strbuf_printf(out, "%d, ", n->outs[i]);
    inlay_strbuf_printf(out, "%s, %d, %d, %d, %d, %d, %d, %u}", n->n_outs ? "}" : "", n->n_in,
                        n->n_attrs, n->n_outs, n->any_attrs, n->outs_rest, n->spread, n->line);
}

static void put_side(inlay_strbuf *out, const rule_side *s)
{
    inlay_strbuf_puts(out, "\n    {(rule_node[]){");
    for (int i = 0; i < s->n_nodes; i++) {
        put_node(out, &s->nodes[i]);
        inlay_strbuf_puts(out, ", ");
    }
    inlay_strbuf_printf(out, "%s}, %d, ", s->n_nodes ? "" : "{0}", s->n_nodes);
    put_terms(out, s->values, s->n_values);
    inlay_strbuf_printf(out, ", %d}", s->n_values);
}

static void put_names(inlay_strbuf *out, const rule *r)
{
    inlay_strbuf_puts(out, "\n    (rule_name[]){");
    for (int i = 0; i < r->n_names; i++) {
        const rule_name *n = &r->names[i];

        inlay_strbuf_puts(out, "\n     {");
        put_text(out, n->text);
        inlay_strbuf_printf(out, ", (rule_kind)%d, (inlay_attr_kind)%d, %d, %d, %d, %d, %d, %u}, ",
                            (int)n->kind, (int)n->attr_kind, n->optional, n->node, n->out, n->bound,
                            n->right, n->line);
    }
    inlay_strbuf_printf(out, "%s}, %d,", r->n_names ? "" : "{0}", r->n_names);
}

static void put_clauses(inlay_strbuf *out, const rule *r)
{
    inlay_strbuf_puts(out, "\n    (rule_clause[]){");
    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *c = &r->clauses[i];

        inlay_strbuf_printf(out, "\n     {&rule_functions[%d], %d, %d, ",
                            (int)(c->fn - rule_functions), c->negated, c->target);
        put_terms(out, c->args, c->n_args);
        inlay_strbuf_printf(out, ", %d, ", c->n_args);
        put_text(out, c->text);
        inlay_strbuf_puts(out, "}, ");
    }
    inlay_strbuf_printf(out, "%s}, %d", r->n_clauses ? "" : "{0}", r->n_clauses);
}

static void put_rule(inlay_strbuf *out, const rule *r)
{
    inlay_strbuf_puts(out, "   {");
    put_text(out, r->name);
    inlay_strbuf_printf(out, ", (inlay_exactness)%d, %u, %d,", (int)r->exactness, r->line,
                        r->index);
    put_names(out, r);
    put_side(out, &r->left);
    inlay_strbuf_puts(out, ",");
    put_side(out, &r->right);
    inlay_strbuf_printf(out, ", %d,", r->root);
    put_clauses(out, r);
    inlay_strbuf_printf(out, ", %u, {", r->root_flags);
    for (int i = 0; i < RULE_READS; i++)
        inlay_strbuf_printf(out, "%#llxu, ", (unsigned long long)r->reads[i]);
    inlay_strbuf_puts(out, "}},\n");
}

/* The list called NAME of rules in set number SET. */
static void put_list(inlay_strbuf *out, int set, const char *name, const rule *const *list)
{
    inlay_strbuf_printf(out, "static const rule *const rules_%d_%s[] = {", set, name);
    for (; *list; list++)
        inlay_strbuf_printf(out, "&rules_%d[%d], ", set, (*list)->index);
    inlay_strbuf_puts(out, "NULL};\n");
}

/* A row that no rule names has the list of those whose root may be any operation. */
static bool is_rest(const inlay_rules *s, size_t row)
{
    size_t i = 0;

    while (s->of_any[i] && s->of_any[i] == s->by_row[row][i])
        i++;
    return s->of_any[i] == s->by_row[row][i];
}

static void put_lists(inlay_strbuf *out, int set, const inlay_rules *s)
{
    char name[32];

    put_list(out, set, "any", s->of_any);
    for (size_t row = 0; row < s->n_rows; row++) {
        snprintf(name, sizeof name, "%zu", row);
        if (!is_rest(s, row))
            put_list(out, set, name, s->by_row[row]);
    }
    inlay_strbuf_printf(out, "static const rule *const *const rules_%d_by_row[] = {\n", set);
    for (size_t row = 0; row < s->n_rows; row++) {
        snprintf(name, sizeof name, "%zu", row);
        inlay_strbuf_printf(out, "    rules_%d_%s,\n", set, is_rest(s, row) ? "any" : name);
    }
    inlay_strbuf_puts(out, "};\n");
}

static void put_set(inlay_strbuf *out, int set, const inlay_rules *s)
{
    inlay_strbuf_printf(out, "static const rule rules_%d[] = {\n", set);
    for (size_t i = 0; i < s->n; i++)
        put_rule(out, s->rules[i]);
    inlay_strbuf_printf(out, "};\nstatic const rule *const rules_%d_all[] = {\n", set);
    for (size_t i = 0; i < s->n; i++)
        inlay_strbuf_printf(out, "    &rules_%d[%zu],\n", set, i);
    inlay_strbuf_puts(out, "};\n");
    put_lists(out, set, s);
}

/* The entry of set number SET in the table of all sets. */
static void put_entry(inlay_strbuf *out, int set, const inlay_rules *s)
{
    inlay_strbuf_puts(out, "    {.name = ");
    put_text(out, s->name);
    inlay_strbuf_puts(out, ", .file = ");
    put_text(out, s->file);
    inlay_strbuf_printf(out,
                        ", .rules = (rule **)rules_%d_all, .n = %zu, .n_rows = %zu,\n     "
                        ".by_row = (const rule ***)rules_%d_by_row, "
                        ".of_any = (const rule **)rules_%d_any},\n",
                        set, s->n, s->n_rows, set, set);
}

/* All bytes of FILE, in memory that the caller frees. */
static char *read_bytes(const char *file, size_t *n)
{
    enum { MOST = 1 << 20 };
    FILE *f = fopen(file, "rb");
    char *bytes = f ? malloc(MOST) : NULL;

    *n = bytes ? fread(bytes, 1, MOST, f) : 0;
    if (f)
        fclose(f);
    return bytes;
}

static inlay_rules *read_set(const char *file, inlay_diags *d)
{
    size_t n;
    char *bytes = read_bytes(file, &n);
    inlay_rules *s = bytes ? inlay_rules_parse(file, bytes, n, d) : NULL;

    if (!bytes)
        inlay_fail(d, NULL, "cannot read %s", file);
    free(bytes);
    return s;
}

static bool compile(inlay_strbuf *out, char *const *files, int n, inlay_diags *d)
{
    inlay_strbuf table = {0};
    bool ok = true;

    for (int i = 0; i < n && ok; i++) {
        inlay_rules *s = read_set(files[i], d);

        ok = s != NULL;
        if (ok) {
            put_set(out, i, s);
            put_entry(&table, i, s);
        }
        inlay_rules_free(s);
    }
    inlay_strbuf_puts(out, "static const inlay_rules rules_built_in[] = {\n");
    inlay_strbuf_puts(out, table.bytes ? table.bytes : "");
    inlay_strbuf_puts(out, "};\n");
    ok = ok && !table.failed && !out->failed;
    inlay_strbuf_free(&table);
    return ok;
}

static void tell(const inlay_diags *d)
{
    const inlay_diag *error = inlay_diags_error(d);
    inlay_strbuf text = {0};

    if (error && error->file)
        inlay_strbuf_printf(&text, "%s:%u: ", error->file, error->line);
    inlay_strbuf_printf(&text, "error: %s\n", error ? error->text : "out of memory");
    fputs(text.bytes ? text.bytes : "error: out of memory\n", stderr);
    inlay_strbuf_free(&text);
}

int main(int argc, char **argv)
{
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf out = {0};
    bool ok = d && compile(&out, argv + 1, argc - 1, d);

    if (ok)
        ok = fwrite(out.bytes, 1, out.n, stdout) == out.n && fflush(stdout) == 0;
    else
        tell(d);
    inlay_strbuf_free(&out);
    inlay_diags_free(d);
    return ok ? 0 : 1;
}
