/* Reads rule files: the rules and their conditions.
 *
 *     file   = { "rule" NAME exactness ":" left "=>" right [ "where" clause { "," clause } ] }
 *     clause = [ "not" ] FUNCTION "(" args ")" | "let" NAME "=" FUNCTION "(" args ")"
 *
 * The grammar of the sides is in side.c; words.c has functions for all parts of the parser. */
#include "passes/rules/parse.h"
#include "ir/shared.h"

#include <stdio.h>
#include <string.h>

const char *inlay_exactness_text(inlay_exactness e)
{
    static const char *const words[] = {"exact", "refines", "approx"};

    return (unsigned)e <= INLAY_APPROX ? words[e] : "";
}

/* A function with a parameter of kind WANTED accepts a name of kind HAS. Attributes and constants
 * may be passed for numbers and integers: whether they are is checked when the function runs. */
static bool kind_fits(rule_kind wanted, rule_kind has)
{
    return has == wanted || ((wanted == RULE_INTEGERS || wanted == RULE_NUMBERS) &&
                             (has == RULE_VALUE || has == RULE_ATTR));
}

/* The next token is an element type, and not a name of the rule. */
static bool is_type(const rule_parser *p, inlay_type *type)
{
    char text[16];

    snprintf(text, sizeof text, "%.*s", (int)p->l.now.length, p->l.now.start);
    return p->l.now.length < sizeof text && rule_lookup(p->r, &p->l.now) < 0 &&
           inlay_type_by_name(text, type);
}

/* An element type instead of an attribute: an empty list of that type. */
static bool read_type(rule_parser *p, inlay_type type, const rule_ints **out)
{
    rule_ints *ints = inlay_arena_alloc(p->set->arena, sizeof *ints);

    if (!ints)
        return inlay_fail_memory(p->l.diags);
    *ints = (rule_ints){.type = type};
    *out = ints;
    return inlay_lexer_next(&p->l);
}

/* Reads an argument: a name that has a meaning, integers, a number, or an element type. */
static bool read_arg(rule_parser *p, const rule_function *fn, char wanted, rule_term *out)
{
    unsigned line = p->l.now.line;
    const rule_name *n;
    rule_kind kind = (rule_kind)(wanted & ~0x20);
    inlay_type type;

    *out = (rule_term){.kind = TERM_INTS, .line = line};
    if (p->l.now.kind != INLAY_TOKEN_WORD) {
        if (kind == RULE_NUMBERS)
            return rule_read_real(p, &out->ints);
        if (kind != RULE_INTEGERS)
            return inlay_lexer_fail(&p->l, rule_kind_text(kind));
        return rule_read_ints(p, &out->ints);
    }
    if (kind == RULE_ATTR && is_type(p, &type))
        return read_type(p, type, &out->ints);
    out->kind = TERM_NAME;
    out->name = rule_word(p, "a name");
    if (out->name < 0)
        return false;
    n = &p->r->names[out->name];
    if (!n->bound)
        return rule_fail(p, line, "`%s` has no meaning here: the left side does not bind it%s",
                         n->text, kind == RULE_ATTR ? ", and it is no element type" : "");
    if (kind_fits(kind, n->kind))
        return true;
    return rule_fail(p, line, "%s wants %s, `%s` is %s", fn->name, rule_kind_text(kind), n->text,
                     rule_kind_text(n->kind));
}

static bool read_args(rule_parser *p, const rule_function *fn, rule_clause *c, unsigned line)
{
    int wanted = (int)strlen(fn->signature);
    bool ok = true;

    c->args = inlay_arena_array(p->set->arena, RULE_ARGS, sizeof *c->args);
    if (!c->args)
        return inlay_fail_memory(p->l.diags);
    if (!rule_expect(p, "("))
        return false;
    while (c->n_args < wanted && !inlay_token_is(&p->l.now, ")")) {
        if (!read_arg(p, fn, fn->signature[c->n_args], &c->args[c->n_args]))
            return false;
        c->n_args++;
        if (!rule_accept(p, ",", &ok))
            break;
    }
    if (!ok)
        return false;
    if (c->n_args < wanted || !inlay_token_is(&p->l.now, ")"))
        return rule_fail(p, line, "%s takes %d argument%s", fn->name, wanted,
                         inlay_plural(wanted, "", "s"));
    p->end = p->l.now.start + 1;
    return inlay_lexer_next(&p->l);
}

static void fail_function(rule_parser *p, const inlay_token *t)
{
    inlay_guess guess = {.word = t->start, .length = t->length};
    char text[100];

    for (size_t i = 0; rule_function_at(i); i++)
        inlay_guess_try(&guess, rule_function_at(i)->name);
    rule_fail(p, t->line, "there is no condition or function `%.*s`%s",
              (int)(t->length > 60 ? 60 : t->length), t->start,
              inlay_guess_text(&guess, text, sizeof text));
}

static const rule_function *read_function(rule_parser *p)
{
    const inlay_token t = p->l.now;
    const rule_function *fn;

    if (t.kind != INLAY_TOKEN_WORD) {
        inlay_lexer_fail(&p->l, "the name of a condition");
        return NULL;
    }
    fn = rule_function_find(t.start, t.length);
    if (!fn)
        fail_function(p, &t);
    return fn && inlay_lexer_next(&p->l) ? fn : NULL;
}

/* Keeps the text of a clause for messages: from START to the end of the clause, with single blanks.
 */
static bool keep_text(rule_parser *p, rule_clause *c, const char *start)
{
    char *text = inlay_arena_strndup(p->set->arena, start, (size_t)(p->end - start));
    size_t n = 0;

    for (const char *q = text; q && *q; q++) {
        bool blank = strchr(" \t\r\n", *q) != NULL;

        if (!blank || (n > 0 && text[n - 1] != ' '))
            text[n++] = blank ? ' ' : *q;
    }
    if (text)
        text[n] = '\0';
    c->text = text;
    return text || inlay_fail_memory(p->l.diags);
}

static bool read_clause(rule_parser *p)
{
    rule_clause *c = &p->r->clauses[p->r->n_clauses];
    const char *start = p->l.now.start;
    unsigned line = p->l.now.line;
    bool ok = true, let = rule_accept(p, "let", &ok);

    if (!ok)
        return false;
    if (p->r->n_clauses == RULE_CLAUSES)
        return rule_fail(p, line, "there are more than %d conditions", RULE_CLAUSES);
    *c = (rule_clause){.target = -1};
    if (let && ((c->target = rule_word(p, "a name")) < 0 || !rule_expect(p, "=")))
        return false;
    c->negated = !let && rule_accept(p, "not", &ok);
    if (!ok || !(c->fn = read_function(p)) || !read_args(p, c->fn, c, line))
        return false;
    if (let && c->fn->result == 'P')
        return rule_fail(p, line, "%s answers yes or no, it gives no value for `let`", c->fn->name);
    if (!let && c->fn->result != 'P')
        return rule_fail(p, line, "%s is no condition: it gives %s, write `let NAME = %s(...)`",
                         c->fn->name, rule_kind_text((rule_kind)c->fn->result), c->fn->name);
    if (let && p->r->names[c->target].bound)
        return rule_fail(p, line, "`%s` has a meaning already", p->r->names[c->target].text);
    p->r->n_clauses++;
    return (!let || rule_define(p, c->target, (rule_kind)c->fn->result, line)) &&
           keep_text(p, c, start);
}

static bool read_clauses(rule_parser *p)
{
    bool ok = true, more = rule_accept(p, "where", &ok);

    while (more && ok) {
        if (!read_clause(p))
            return false;
        more = rule_accept(p, ",", &ok);
    }
    return ok;
}

static bool read_exactness(rule_parser *p)
{
    bool ok = true;

    for (int e = INLAY_EXACT; e <= INLAY_APPROX; e++) {
        if (rule_accept(p, inlay_exactness_text((inlay_exactness)e), &ok)) {
            p->r->exactness = (inlay_exactness)e;
            return true;
        }
    }
    return ok && inlay_lexer_fail(&p->l, "exact, refines or approx");
}

/* Copies COUNT elements of ITEMS into the set's memory. NULL: no memory. */
static void *keep_array(rule_parser *p, const void *items, int count, size_t size)
{
    void *kept = inlay_arena_array(p->set->arena, (size_t)count + 1, size);

    if (kept && count > 0)
        memcpy(kept, items, (size_t)count * size);
    return kept;
}

/* Makes a rule of the draft, in as much memory as it needs. */
static rule *keep_rule(rule_parser *p)
{
    rule *r = keep_array(p, p->r, 1, sizeof *r);

    if (!r)
        return NULL;
    r->names = keep_array(p, r->names, r->n_names, sizeof *r->names);
    r->left.nodes = keep_array(p, r->left.nodes, r->left.n_nodes, sizeof *r->left.nodes);
    r->right.nodes = keep_array(p, r->right.nodes, r->right.n_nodes, sizeof *r->right.nodes);
    r->clauses = keep_array(p, r->clauses, r->n_clauses, sizeof *r->clauses);
    return r->names && r->left.nodes && r->right.nodes && r->clauses ? r : NULL;
}

/* The flags that the conditions of R require of the row of its root. */
static unsigned flags_of_root(const rule *r)
{
    unsigned flags = 0;

    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *c = &r->clauses[i];
        int name = c->n_args > 0 && c->args[0].kind == TERM_NAME ? c->args[0].name : -1;
        bool of_root =
            name >= 0 && (r->left.nodes[r->root].op_name == name || r->names[name].node == r->root);

        if (of_root && !c->negated)
            flags |= c->fn->flags;
    }
    return flags;
}

/* The node of R's left side that makes operand T, or NULL. */
static const rule_node *maker_of(const rule *r, const rule_term *t)
{
    int node = -1;

    if (t->kind == TERM_NODE)
        node = t->node;
    else if (t->kind == TERM_NAME)
        node = r->names[t->name].node;
    return node < 0 ? NULL : &r->left.nodes[node];
}

/* A condition of R says that T is a constant. */
static bool is_constant(const rule *r, const rule_term *t)
{
    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *c = &r->clauses[i];

        if (c->fn->call == rule_fn_constant && !c->negated && t->kind == TERM_NAME &&
            c->args[0].kind == TERM_NAME && c->args[0].name == t->name)
            return true;
    }
    return false;
}

/* The operations that may make T; 0: any. */
static uint64_t makers_of(const rule *r, const rule_term *t)
{
    const rule_node *maker = maker_of(r, t);
    uint64_t makers = is_constant(r, t) ? RULE_CONSTANTS : 0;

    for (int i = 0; maker && maker->type && i < maker->n_rows; i++)
        makers |= rule_bit(maker->rows[i]);
    return makers;
}

/* The place of the rule NAME, or of one of this name that is to come. */
static size_t *named(const rule_parser *p, const char *name)
{
    size_t at = inlay_hash(name, strlen(name)) & (p->n_named - 1);

    while (p->named[at] && strcmp(p->set->rules[p->named[at] - 1]->name, name) != 0)
        at = (at + 1) & (p->n_named - 1);
    return &p->named[at];
}

/* Makes room for another rule, and for its name. */
static bool make_room(rule_parser *p)
{
    inlay_rules *s = p->set;

    if (s->n < s->cap)
        return true;
    if (!inlay_arena_grow(s->arena, &s->rules, s->n, &s->cap, sizeof *s->rules))
        return false;
    p->n_named = 2 * s->cap;
    p->named = inlay_arena_array(s->arena, p->n_named, sizeof *p->named);
    for (size_t i = 0; p->named && i < s->n; i++)
        *named(p, s->rules[i]->name) = i + 1;
    return p->named != NULL;
}

static bool add_rule(rule_parser *p)
{
    inlay_rules *s = p->set;
    const rule_node *root;
    size_t *place;

    if (!make_room(p))
        return inlay_fail_memory(p->l.diags);
    place = named(p, p->r->name);
    if (*place)
        return rule_fail(p, p->r->line, "there is a rule of this name on line %u",
                         s->rules[*place - 1]->line);
    p->r->index = (int)s->n;
    p->r->root_flags = flags_of_root(p->r);
    root = &p->r->left.nodes[p->r->root];
    for (int i = 0; i < root->n_in && i < RULE_READS; i++)
        p->r->reads[i] = makers_of(p->r, &root->in[i]);
    s->rules[s->n] = keep_rule(p);
    if (!s->rules[s->n])
        return inlay_fail_memory(p->l.diags);
    *place = ++s->n;
    return true;
}

static void start_draft(rule_parser *p)
{
    rule_draft *d = p->draft;

    d->rule = (rule){.names = d->names,
                     .left = {.nodes = d->left},
                     .right = {.nodes = d->right},
                     .clauses = d->clauses};
    p->r = &d->rule;
}

static bool read_rule(rule_parser *p)
{
    inlay_token name;

    p->r = NULL;
    if (!rule_expect(p, "rule"))
        return false;
    name = p->l.now;
    if (name.kind != INLAY_TOKEN_WORD)
        return inlay_lexer_fail(&p->l, "the name of a rule");
    start_draft(p);
    p->r->line = name.line;
    p->r->name = inlay_arena_strndup(p->set->arena, name.start, name.length);
    if (!p->r->name)
        return inlay_fail_memory(p->l.diags);
    p->right = false;
    return inlay_lexer_next(&p->l) && read_exactness(p) && rule_expect(p, ":") &&
           rule_read_left(p) && rule_expect(p, "=>") && rule_read_right(p) && read_clauses(p) &&
           rule_check(p) && add_rule(p);
}

/* "passes/rules/simplify.rules" is the set "simplify". */
static const char *stem(inlay_arena *a, const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');

    return inlay_arena_strndup(a, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

/* The number of rows that the root of R may have. */
static size_t count_rows(const inlay_rules *s, const rule *r)
{
    const rule_node *root = &r->left.nodes[r->root];

    return root->type ? (size_t)root->n_rows : s->n_rows;
}

/* The number of the Ith of these rows. */
static size_t row_at(const rule *r, size_t i)
{
    const rule_node *root = &r->left.nodes[r->root];

    return root->type ? (size_t)root->rows[i]->row : i;
}

/* Makes the list of rules for each row. All lists are in one array: the first walk counts their
 * lengths, the second fills them. */
static bool index_by_row(inlay_rules *s)
{
    size_t n_ops = s->n_rows = inlay_op_count(s->ops), all = n_ops;
    size_t *count = inlay_arena_array(s->arena, n_ops, sizeof *count);
    const rule **list;

    s->by_row = inlay_arena_array(s->arena, n_ops, sizeof *s->by_row);
    if (!count || !s->by_row)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        size_t rows = count_rows(s, s->rules[i]);

        for (size_t k = 0; k < rows; k++)
            count[row_at(s->rules[i], k)]++;
        all += rows;
    }
    list = inlay_arena_array(s->arena, all, sizeof *list);
    if (!list)
        return false;
    for (size_t row = 0; row < n_ops; row++) {
        s->by_row[row] = list;
        list += count[row] + 1;
        count[row] = 0;
    }
    for (size_t i = 0; i < s->n; i++) {
        size_t rows = count_rows(s, s->rules[i]);

        for (size_t k = 0; k < rows; k++) {
            size_t row = row_at(s->rules[i], k);

            s->by_row[row][count[row]++] = s->rules[i];
        }
    }
    return true;
}

/* Makes the list of rules whose root may be of any operation. */
static bool index_rest(inlay_rules *s)
{
    size_t n = 0;

    s->of_any = inlay_arena_array(s->arena, s->n + 1, sizeof *s->of_any);
    for (size_t i = 0; s->of_any && i < s->n; i++) {
        const rule *r = s->rules[i];

        if (!r->left.nodes[r->root].type)
            s->of_any[n++] = r;
    }
    return s->of_any != NULL;
}

const rule *const *rules_of(const inlay_rules *s, const inlay_op *op)
{
    bool is_known = op->row >= 0 && inlay_op_at(s->ops, (size_t)op->row) == op;

    return is_known ? s->by_row[op->row] : s->of_any;
}

static bool read_all(rule_parser *p)
{
    if (!inlay_lexer_next(&p->l))
        return false;
    while (p->l.now.kind != INLAY_TOKEN_END) {
        if (!read_rule(p))
            return false;
    }
    return (index_by_row(p->set) && index_rest(p->set)) || inlay_fail_memory(p->l.diags);
}

inlay_rules *inlay_rules_parse(const char *file, const char *bytes, size_t n, inlay_diags *d)
{
    return inlay_rules_parse_of(NULL, file, bytes, n, d);
}

inlay_rules *inlay_rules_parse_of(const inlay_op_set *ops, const char *file, const char *bytes,
                                  size_t n, inlay_diags *d)
{
    return inlay_rules_parse_in(NULL, ops, file, bytes, n, d);
}

inlay_rules *inlay_rules_parse_in(inlay_budget *budget, const inlay_op_set *ops, const char *file,
                                  const char *bytes, size_t n, inlay_diags *d)
{
    if (inlay_is_missing(file, "name of a file", d) || inlay_is_missing(bytes, "text", d))
        return NULL;

    inlay_arena *a = inlay_arena_of(budget);
    inlay_rules *s = a ? inlay_arena_alloc(a, sizeof *s) : NULL;
    rule_parser p = {.set = s};

    if (s) {
        s->arena = a;
        s->file = inlay_arena_strdup(a, file);
        s->name = s->file ? stem(a, file) : NULL;
        p.draft = inlay_arena_alloc(a, sizeof *p.draft);
    }
    if (!s || !s->name || !p.draft) {
        inlay_arena_free(a);
        inlay_budget_tell(budget, inlay_fail_memory(d), d);
        return NULL;
    }
    s->ops = inlay_op_set_retain(ops);
    inlay_lexer_start(&p.l, s->file, bytes, n, d);
    if (read_all(&p))
        return s;
    inlay_budget_tell(budget, false, d);
    inlay_rules_free(s);
    return NULL;
}

void inlay_rules_free(inlay_rules *rules)
{
    if (!rules || !rules->arena)
        return;
    inlay_op_set_release(rules->ops);
    inlay_arena_free(rules->arena);
}

size_t inlay_rules_count(const inlay_rules *rules)
{
    return rules ? rules->n : 0;
}

inlay_rule_info inlay_rules_at(const inlay_rules *rules, size_t i)
{
    inlay_rule_info info = {NULL, NULL, INLAY_EXACT, NULL, 0};

    if (rules && i < rules->n)
        info = (inlay_rule_info){rules->rules[i]->name, rules->name, rules->rules[i]->exactness,
                                 rules->file, rules->rules[i]->line};
    return info;
}
