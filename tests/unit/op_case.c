#include "op_case.h"

#include "parser/parser.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file on its way to a case. Each buffer has as many lines as the file, so that messages about
 * its graph name lines of the file. */
struct reading {
    op_case *c;
    const char *text, *file;
    inlay_diags *d;
    inlay_strbuf tensors; /* a graph of constants: the operands, and what is expected */
};

static bool fail(const struct reading *r, const char *at, const char *what)
{
    inlay_pos pos = {r->file, 1};

    for (const char *p = r->text; p < at; p++)
        pos.line += *p == '\n';
    return inlay_fail(r->d, &pos, "%s", what);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Adds the ends of lines between FROM and TO. */
static void add_lines(inlay_strbuf *b, const char *from, const char *to)
{
    for (; from < to; from++) {
        if (*from == '\n')
            inlay_strbuf_puts(b, "\n");
    }
}

/* ---- constants, which are Parameters in the other forms ---- */

/* Returns the place behind the string that begins at P. */
static const char *skip_string(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        p += *p == '\\' && p[1];
    return p + (*p == '"');
}

/* Returns the place behind the brace that ends the attributes in which P is; NULL when there is
 * none. */
static const char *skip_attributes(const char *p)
{
    while (*p && *p != '}')
        p = *p == '"' ? skip_string(p) : p + 1;
    return *p ? p + 1 : NULL;
}

static const char constant[] = "Const {value = ";

/* Takes the constant at *P, whose literal is `type[shape] elements`. */
static bool take_constant(struct reading *r, const char **p)
{
    const char *from = *p, *literal = from + strlen(constant), *end = skip_attributes(literal);
    const char *shape = strchr(literal, '['), *elements = shape ? strchr(shape, ']') : NULL;
    inlay_strbuf *form = r->c->form;

    if (!end || !elements || elements > end || r->c->n_operands == OP_CASE_MAX)
        return fail(r, from, "expected `Const {value = type[shape] elements}`, and not too many");
    *p = end;
    inlay_strbuf_add(&form[OP_FORM_CONSTANTS], from, (size_t)(end - from));
    for (int i = OP_FORM_SHAPES; i < OP_FORMS; i++) {
        inlay_strbuf_printf(
            &form[i], "Parameter {element_type = %.*s, shape = ", (int)(shape - literal), literal);
        inlay_strbuf_printf(&form[i], "%.*s}", i == OP_FORM_OPEN ? 5 : (int)(elements + 1 - shape),
                            i == OP_FORM_OPEN ? "[...]" : shape);
        add_lines(&form[i], from, end);
    }
    inlay_strbuf_printf(&r->tensors, "%%operand%d = ", r->c->n_operands++);
    inlay_strbuf_add(&r->tensors, from, (size_t)(end - from));
    return true;
}

/* ---- expectations, which are comments ---- */

/* Reads the bounds behind `within `: "8 ulp", "1e-06", or both with " or " between. */
static bool read_tolerance(const char **p, inlay_compare_options *o)
{
    do {
        char *end;
        double bound = strtod(*p, &end);

        if (end == *p || !(bound > 0))
            return false;
        *p = end;
        if (begins(*p, " ulp")) {
            o->ulp = (uint64_t)bound;
            *p += strlen(" ulp");
        } else {
            o->atol = bound;
        }
    } while (begins(*p, " or ") && (*p += strlen(" or ")));
    return true;
}

static bool accept(const char **p, const char *word)
{
    if (!begins(*p, word))
        return false;
    *p += strlen(word);
    return true;
}

/* Reads NAME [dynamic] [within BOUNDS] = LITERAL, which the comment at FROM says. */
static bool read_expectation(struct reading *r, const char *from, const char *p)
{
    op_case *c = r->c;
    op_expectation *e = &c->expected[c->n_expected];
    size_t n = strcspn(p, " ");

    if (c->n_expected == OP_CASE_MAX || n >= sizeof e->name)
        return fail(r, from, "found too many expectations, or too long a name");
    snprintf(e->name, sizeof e->name, "%.*s", (int)n, p);
    if (op_case_expected(c, e->name))
        return fail(r, from, "found a second expectation of the same Result");
    p += n;
    e->dynamic = accept(&p, " dynamic");
    if (accept(&p, " within ") && !read_tolerance(&p, &e->tolerance))
        return fail(r, from, "expected positive bounds: `within 8 ulp or 1e-06`");
    if (!accept(&p, " = "))
        return fail(r, from, "expected `expect NAME [dynamic] [within BOUNDS] = LITERAL`");
    inlay_strbuf_printf(&r->tensors, "%%expected%d = %s%s}", c->n_expected++, constant, p);
    return true;
}

/* Adds what the comment at P says to SAID, and returns the end of the line of that comment. */
static const char *read_comment(const char *p, inlay_strbuf *said)
{
    const char *end = p + strcspn(p, "\n"), *last = end;

    p += strspn(p, "/ ");
    while (last > p && isspace((unsigned char)last[-1]))
        last--;
    if (last > p)
        inlay_strbuf_add(said, p, (size_t)(last - p));
    return end;
}

/* An expectation goes on in the comment of the next line while its list of elements is open. */
static bool goes_on(const inlay_strbuf *said, const char *end, const char **next)
{
    *next = end + strspn(end, "\n ");
    return said->n > 0 && strchr(",[", said->bytes[said->n - 1]) && begins(*next, "//");
}

static bool take_comment(struct reading *r, const char **p)
{
    const char *from = *p, *next, *what;
    inlay_strbuf said = {0};
    bool ok = true;

    *p = read_comment(from, &said);
    what = said.n > 0 ? said.bytes : "";
    if (accept(&what, "expect error: ")) {
        inlay_strbuf_puts(&r->c->error, what);
    } else if (begins(what, "expect ")) {
        while (goes_on(&said, *p, &next))
            *p = read_comment(next, &said);
        ok = read_expectation(r, from, said.bytes + strlen("expect "));
    }
    inlay_strbuf_free(&said);
    for (int i = 0; i < OP_FORMS; i++)
        add_lines(&r->c->form[i], from, *p);
    add_lines(&r->tensors, from, *p);
    return ok;
}

/* ---- the file ---- */

/* Constants in bodies, which are deeper than the graph, stay what they are. */
static bool take_text(struct reading *r)
{
    const char *p = r->text;
    int depth = 0;

    while (*p) {
        const char *from = p;

        if (begins(p, "//")) {
            if (!take_comment(r, &p))
                return false;
            continue;
        }
        if (depth == 1 && begins(p, constant)) {
            if (!take_constant(r, &p))
                return false;
            continue;
        }
        depth += (*p == '{') - (*p == '}');
        p = *p == '"' ? skip_string(p) : p + 1;
        for (int i = 0; i < OP_FORMS; i++)
            inlay_strbuf_add(&r->c->form[i], from, (size_t)(p - from));
        add_lines(&r->tensors, from, p);
    }
    return true;
}

static const inlay_tensor *tensor_called(const op_case *c, const char *what, int i)
{
    char name[32];

    snprintf(name, sizeof name, "%s%d", what, i);
    return inlay_node_attr(inlay_graph_node(c->tensors, name), "value")->as.tensor;
}

static bool take_tensors(struct reading *r)
{
    op_case *c = r->c;

    inlay_strbuf_puts(&r->tensors, "}");
    c->tensors = inlay_read_text(r->file, r->tensors.bytes, r->tensors.n, NULL, r->d);
    if (!c->tensors)
        return false;
    for (int i = 0; i < c->n_operands; i++)
        c->operand[i] = tensor_called(c, "operand", i);
    for (int i = 0; i < c->n_expected; i++)
        c->expected[i].tensor = tensor_called(c, "expected", i);
    return true;
}

bool op_case_read(op_case *c, const char *text, const char *file, inlay_diags *d)
{
    struct reading r = {.c = c, .text = text, .file = file, .d = d};
    bool ok;

    *c = (op_case){.n_operands = 0};
    inlay_strbuf_puts(&r.tensors, "graph \"tensors\" {");
    ok = take_text(&r) && take_tensors(&r);
    if (ok && (c->n_expected > 0) == (c->error.n > 0))
        ok = fail(&r, text,
                  "expected lines `// expect NAME = LITERAL`, or one `// expect error: TEXT`");
    inlay_strbuf_free(&r.tensors);
    return ok;
}

void op_case_free(op_case *c)
{
    for (int i = 0; i < OP_FORMS; i++)
        inlay_strbuf_free(&c->form[i]);
    inlay_strbuf_free(&c->error);
    inlay_graph_free(c->tensors);
}

const op_expectation *op_case_expected(const op_case *c, const char *name)
{
    for (int i = 0; i < c->n_expected; i++) {
        if (strcmp(c->expected[i].name, name) == 0)
            return &c->expected[i];
    }
    return NULL;
}
