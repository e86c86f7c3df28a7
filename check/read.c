/* The text form (ir/text/TEXT.md) and certificates, read. */
#include "check/check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *file, *p, *end, *start;
    size_t line; /* at COUNTED */
    const char *counted;
    bool stated;
    int depth;
};

void *keep(size_t n)
{
    static char *room;
    static size_t left;
    void *p;

    n = (n + 15) / 16 * 16;
    if (n > left) {
        left = n > 1 << 20 ? n : 1 << 20;
        room = calloc(left, 1);
        if (!room) {
            fprintf(stderr, "inlay-check: out of memory\n");
            exit(NO_RESOURCE);
        }
    }
    p = room;
    room += n;
    left -= n;
    return p;
}

static struct block {
    struct block *next;
} * blocks;

void *scratch(size_t n)
{
    struct block *b = calloc(1, n + 16);

    if (!b) {
        fprintf(stderr, "inlay-check: out of memory\n");
        exit(NO_RESOURCE);
    }
    b->next = blocks;
    blocks = b;
    return (char *)b + 16;
}

void scratch_ends(void)
{
    while (blocks) {
        struct block *next = blocks->next;

        free(blocks);
        blocks = next;
    }
}

static uint64_t hash(const char *p, size_t n)
{
    uint64_t h = n;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return h;
}

word word_of(const char *p, size_t n)
{
    static struct entry {
        const char *text;
        size_t n;
    } * table;
    static size_t cap, used;
    size_t i;
    char *copy;

    if (2 * (used + 1) > cap) {
        struct entry *old = table;
        size_t had = cap;

        cap = cap ? 2 * cap : 4096;
        table = keep(cap * sizeof *table);
        for (size_t k = 0; k < had; k++) {
            for (i = hash(old[k].text, old[k].n); old[k].text && table[i &= cap - 1].text; i++)
                ;
            if (old[k].text)
                table[i & (cap - 1)] = old[k];
        }
    }
    for (i = hash(p, n); table[i &= cap - 1].text; i++) {
        if (table[i].n == n && memcmp(table[i].text, p, n) == 0)
            return table[i].text;
    }
    copy = keep(n + 1);
    memcpy(copy, p, n);
    table[i] = (struct entry){copy, n};
    used++;
    return copy;
}

void fail_at(const char *file, size_t line, const char *fmt, ...)
{
    va_list args;

    fprintf(stderr, "%s:%zu: error: ", file, line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fprintf(stderr, "\n");
    exit(INVALID);
}

static size_t line_of(struct reader *r)
{
    for (; r->counted < r->p; r->counted++)
        r->line += *r->counted == '\n';
    return r->line;
}

static void expected(struct reader *r, const char *what)
{
    fail_at(r->file, line_of(r), "%s was expected, found \"%.*s\"", what,
            (int)strcspn(r->p, "\n") < 40 ? (int)strcspn(r->p, "\n") : 40, r->p);
}

static void skip(struct reader *r)
{
    for (;;) {
        while (*r->p == ' ' || *r->p == '\n' || *r->p == '\t' || *r->p == '\r')
            r->p++;
        if (r->p[0] != '/' || r->p[1] != '/')
            return;
        r->p += strcspn(r->p, "\n");
    }
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool joins(const char *p, bool name)
{
    if (name)
        return (*p == '.' || *p == '-' || *p == '/') && (is_letter(p[1]) || is_digit(p[1]));
    return (*p == '.' && (is_letter(p[1]) || is_digit(p[1]))) || (*p == '-' && is_letter(p[1]));
}

/* What stands between the quotes, as it is written: the printer writes it in one way. */
static word read_string(struct reader *r)
{
    const char *start = ++r->p;

    for (; *r->p != '"'; r->p++) {
        r->p += *r->p == '\\';
        if (*r->p == '\0' || *r->p == '\n')
            expected(r, "the end of a string");
    }
    r->p++;
    return word_of(start, (size_t)(r->p - start) - 1);
}

/* A word, or, with NAME, what may follow a %; either may be in quotes. */
static word read_word(struct reader *r, bool name)
{
    const char *start = r->p;

    if (*r->p == '"')
        return read_string(r);
    while (is_letter(*r->p) || is_digit(*r->p) || (r->p > start && joins(r->p, name)))
        r->p++;
    if (r->p == start)
        expected(r, name ? "a name" : "a word");
    return word_of(start, (size_t)(r->p - start));
}

static bool takes(struct reader *r, const char *text)
{
    size_t n = strlen(text);

    skip(r);
    if (strncmp(r->p, text, n) != 0 ||
        (is_letter(*text) && (is_letter(r->p[n]) || is_digit(r->p[n]) || joins(r->p + n, false))))
        return false;
    r->p += n;
    return true;
}

static void must(struct reader *r, const char *text)
{
    if (!takes(r, text))
        expected(r, text);
}

static int64_t read_int(struct reader *r)
{
    char *end;
    long long x;

    skip(r);
    errno = 0;
    x = strtoll(r->p, &end, 10);
    if (end == r->p || errno)
        expected(r, "an integer");
    r->p = end;
    return x;
}

static word read_name(struct reader *r)
{
    must(r, "%");
    return read_word(r, true);
}

static operand read_operand(struct reader *r)
{
    operand o = {NULL, 0};

    if (takes(r, "none"))
        return o;
    o.name = read_name(r);
    if (*r->p == ':' && is_digit(r->p[1])) {
        r->p++;
        o.index = (int)read_int(r);
    }
    return o;
}

/* Appends an entry of SIZE to LIST, which has N. */
static void *append(void *list, int *n, size_t size, const void *entry)
{
    char *now = list;

    if ((*n & (*n - 1)) == 0) { /* 0, 1, 2, 4, ... */
        now = keep((size_t)(*n ? 2 * *n : 1) * size);
        if (*n)
            memcpy(now, list, (size_t)*n * size);
    }
    memcpy(now + (size_t)(*n)++ * size, entry, size);
    return now;
}

static void read_operands(struct reader *r, node *n)
{
    if (!takes(r, "(") || takes(r, ")"))
        return;
    do {
        operand o = read_operand(r);

        n->in = append(n->in, &n->n_in, sizeof o, &o);
    } while (takes(r, ","));
    must(r, ")");
    while (n->n_in > 0 && !n->in[n->n_in - 1].name)
        n->n_in--; /* absent at the end says nothing */
}

/* Passes over text up to a comma or the end of the brackets around it. */
static void pass_value(struct reader *r)
{
    for (int depth = 0;; r->p++) {
        if (*r->p == '"')
            read_string(r), r->p--;
        else if (*r->p == '[' || *r->p == '(' || *r->p == '{')
            depth++;
        else if (depth == 0 && (*r->p == ',' || *r->p == '}'))
            return;
        else if (*r->p == ']' || *r->p == ')' || *r->p == '}')
            depth--;
        else if (*r->p == '\0')
            expected(r, "the end of a value");
    }
}

static attr read_attr(struct reader *r)
{
    attr a;
    char *text;
    const char *start;
    bool quoted = false;

    skip(r);
    a.name = read_word(r, false);
    must(r, "=");
    skip(r);
    start = r->p;
    pass_value(r);
    text = keep((size_t)(r->p - start) + 1);
    a.text = text;
    for (; start < r->p; start++) {
        quoted ^= *start == '"' && (start[-1] != '\\' || start[-2] == '\\');
        if (!quoted && strncmp(start, "0..", 3) == 0 && strchr("[, ", start[-1]))
            continue; /* 0..4 is ..4 */
        if (quoted || !strchr(" \n\t\r", *start))
            *text++ = *start;
    }
    a.n = (size_t)(text - a.text);
    if (a.n > 2 && *a.text == '"' &&
        strcspn(a.text + 1, "\" ,[]") == a.n - 2) { /* a word in quotes */
        a.text++;
        a.n -= 2;
    }
    return a;
}

static void pass_meta(struct reader *r)
{
    int depth = 0;

    skip(r);
    do {
        if (*r->p == '"') {
            read_string(r);
            continue;
        }
        depth += *r->p == '{' ? 1 : *r->p == '}' ? -1 : 0;
        if (*r->p++ == '\0')
            expected(r, "}");
    } while (depth > 0);
}

/* `2`, `?`, `1..8`, `?#batch`, as of a shape or of the digits in a literal. */
static int64_t dim_of(const char **p)
{
    int64_t x = OPEN;
    char *end;

    if (is_digit(**p)) {
        x = strtoll(*p, &end, 10);
        *p = end;
    }
    if (**p == '.')
        x = OPEN;
    *p += strcspn(*p, ",]\"");
    if (**p == '"')
        *p += strcspn(*p + 1, "\"") + 2;
    return x;
}

/* The shape at *P, which is moved behind it; NULL: there is none. */
static const shape *shape_at(const char **p)
{
    shape *s;

    if (**p != '[')
        return NULL;
    s = keep(sizeof *s);
    (*p)++;
    if (strncmp(*p, "...", 3) == 0) {
        s->rank = -1;
        *p += 3;
    }
    while (**p && **p != ']') {
        if (s->rank < 0 || s->rank == MAX_RANK)
            return NULL;
        while (**p == ' ' || **p == ',')
            (*p)++;
        s->dims[s->rank++] = dim_of(p);
    }
    if (**p)
        (*p)++;
    return s;
}

static void read_value(struct reader *r, value *v)
{
    *v = (value){0};
    skip(r);
    v->type = read_word(r, false);
    skip(r);
    v->shape = shape_at(&r->p);
    if (!v->shape)
        expected(r, "a shape");
    if (takes(r, "as")) {
        skip(r);
        for (skip(r); *r->p == '"'; skip(r)) {
            word called = read_string(r);

            v->names = append(v->names, &v->n_names, sizeof called, &called);
        }
    }
    v->note = takes(r, "view")         ? (must(r, "of"), VIEW_OF)
              : takes(r, "overwrites") ? OVERWRITES
              : takes(r, "into")       ? INTO
                                       : FRESH;
    if (v->note != FRESH) {
        v->target = read_operand(r);
        skip(r);
        if (*r->p == '{')
            pass_meta(r);
    }
    if (takes(r, "port_info"))
        pass_meta(r);
}

static graph *read_body(struct reader *r);

/* What stands between the brackets of a body and the next node is its port map. */
static void read_bodies(struct reader *r, node *n)
{
    for (;;) {
        const char *start = r->p, *rim;
        graph *g;
        word text;
        char *to;
        int count = n->n_bodies;

        skip(r);
        if (!is_letter(*r->p))
            return;
        read_word(r, false);
        skip(r);
        if (*r->p != '"' || (read_string(r), skip(r), *r->p != '{')) {
            r->p = start;
            return;
        }
        g = read_body(r);
        rim = r->p;
        for (;;) {
            skip(r);
            if (strncmp(r->p, "in ", 3) != 0 && strncmp(r->p, "out ", 4) != 0 &&
                strncmp(r->p, "back ", 5) != 0)
                break;
            r->p += strcspn(r->p, "\n");
        }
        to = keep((size_t)(r->p - rim) + 1);
        text = to;
        for (; rim < r->p; rim++) {
            if (!strchr(" \n\r\t", *rim))
                *to++ = *rim;
        }
        text = word_of(text, (size_t)(to - text));
        n->bodies = append(n->bodies, &count, sizeof(graph *), &g);
        n->rims = append(n->rims, &n->n_bodies, sizeof(word), &text);
    }
}

static void read_op(struct reader *r, node *n)
{
    skip(r);
    if (*r->p == '?') /* a stand-in */
        r->p++;
    n->op = read_word(r, false);
    if (*r->p == '-') {
        r->p++;
        n->version = (int)read_int(r);
    }
    if (*r->p == '@') {
        r->p++;
        n->set = read_word(r, false);
        if (strncmp(n->set, "opset", 5) == 0)
            n->set = NULL;
    }
}

static node *read_node(struct reader *r)
{
    node *n = keep(sizeof *n);
    int64_t outputs = -1;

    n->name = read_name(r);
    n->line = line_of(r);
    n->stated = r->stated;
    if (takes(r, ":"))
        outputs = read_int(r);
    must(r, "=");
    read_op(r, n);
    read_operands(r, n);
    if (takes(r, "{")) {
        do {
            attr a = read_attr(r);

            n->attrs = append(n->attrs, &n->n_attrs, sizeof a, &a);
        } while (takes(r, ","));
        must(r, "}");
    }
    if (takes(r, ":")) {
        do {
            value v;

            read_value(r, &v);
            n->out = append(n->out, &n->n_out, sizeof v, &v);
        } while (takes(r, ","));
    }
    for (; n->n_out < (outputs < 0 ? 1 : outputs);) {
        value none = {0};

        n->out = append(n->out, &n->n_out, sizeof none, &none);
    }
    for (bool more = true; more;) {
        if (takes(r, "label") || takes(r, "output_names"))
            skip(r), read_string(r);
        else if (takes(r, "rt_info"))
            pass_meta(r);
        else
            more = false;
    }
    read_bodies(r, n);
    if (is_op(n, "Const") && n->n_out == 1 && !n->out[0].type) {
        value own;
        bool hashed;
        size_t length;

        if (literal_of(n, &own, &hashed, &length))
            n->out[0] = own;
    }
    return n;
}

static size_t *slot_of(const graph *g, word name)
{
    size_t i = (uintptr_t)name / 16 * 0x9e3779b97f4a7c15u >> 20;

    while (g->slots[i &= g->n_slots - 1] && g->nodes[g->slots[i] - 1] &&
           g->nodes[g->slots[i] - 1]->name != name)
        i++;
    return &g->slots[i];
}

node *find(const graph *g, word name)
{
    size_t i = (uintptr_t)name / 16 * 0x9e3779b97f4a7c15u >> 20;

    if (!name || !g->n_slots)
        return NULL;
    for (; g->slots[i &= g->n_slots - 1]; i++) {
        node *n = g->nodes[g->slots[i] - 1];

        if (n && n->name == name)
            return n;
    }
    return NULL;
}

/* A node that goes leaves its slot, which is used again for its name alone. */
void add_node(graph *g, node *n)
{
    if (g->n_nodes == g->cap_nodes) {
        node **more;

        g->cap_nodes = g->cap_nodes ? 2 * g->cap_nodes : 16;
        more = keep(g->cap_nodes * sizeof *more);
        if (g->n_nodes)
            memcpy(more, g->nodes, g->n_nodes * sizeof *more);
        g->nodes = more;
        g->n_slots = 4 * g->cap_nodes;
        g->slots = keep(g->n_slots * sizeof *g->slots);
        for (size_t i = 0; i < g->n_nodes; i++) {
            if (g->nodes[i])
                *slot_of(g, g->nodes[i]->name) = i + 1;
        }
    }
    g->nodes[g->n_nodes++] = n;
    *slot_of(g, n->name) = g->n_nodes;
}

void drop_node(graph *g, word name)
{
    size_t i = (uintptr_t)name / 16 * 0x9e3779b97f4a7c15u >> 20;

    for (; g->slots[i &= g->n_slots - 1]; i++) {
        size_t at = g->slots[i] - 1;

        if (g->nodes[at] && g->nodes[at]->name == name) {
            g->nodes[at] = NULL;
            return;
        }
    }
}

/* Gives N, whose outputs are not stated, as many as are read. */
static void add_outputs(node *n, int count)
{
    const value none = {0};

    while (n->n_out < count)
        n->out = append(n->out, &n->n_out, sizeof none, &none);
}

static void count_uses(struct reader *r, graph *g)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        const node *n = g->nodes[i];

        for (int k = 0; k < n->n_in; k++) {
            node *from = find(g, n->in[k].name);

            if (from && from->stated && !from->out[0].type && n->in[k].index < 1 << 16)
                add_outputs(from, n->in[k].index + 1);
            if (n->in[k].name && (!from || n->in[k].index >= from->n_out || n->in[k].index < 0))
                fail_at(r->file, n->line, "\"%s\" reads \"%s:%d\", which there is not", n->name,
                        n->in[k].name, n->in[k].index);
            if (from)
                from->uses++;
        }
    }
}

static graph *read_body(struct reader *r)
{
    graph *g = keep(sizeof *g);
    int n_orders = 0;

    if (++r->depth > 64)
        fail_at(r->file, line_of(r), "bodies are nested more than 64 deep");
    must(r, "{");
    while (!takes(r, "}")) {
        if (takes(r, "order")) {
            operand before = {read_name(r), 0}, after = {(must(r, "before"), read_name(r)), 0};

            g->orders = append(g->orders, &n_orders, sizeof before, &before);
            g->orders = append(g->orders, &n_orders, sizeof after, &after);
        } else if (takes(r, "meta")) {
            pass_meta(r);
        } else if (takes(r, "ir_version")) {
            read_int(r);
        } else if (takes(r, "variable")) {
            skip(r);
            read_string(r);
            must(r, ":");
            read_word(r, (skip(r), false));
            skip(r);
            if (!shape_at(&r->p))
                expected(r, "a shape");
        } else {
            node *n = read_node(r);

            if (find(g, n->name))
                fail_at(r->file, n->line, "the name \"%s\" is used twice", n->name);
            add_node(g, n);
        }
    }
    g->n_orders = (size_t)n_orders / 2;
    count_uses(r, g);
    r->depth--;
    return g;
}

static struct reader open_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t n = 0, cap = 1 << 16, got;
    char *text = malloc(cap);

    if (!f) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        exit(INVALID);
    }
    while (text && (got = fread(text + n, 1, cap - n - 1, f)) > 0) {
        n += got;
        if (cap - n < cap / 2)
            text = realloc(text, cap *= 2);
    }
    if (!text || ferror(f)) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        exit(NO_RESOURCE);
    }
    fclose(f);
    text[n] = '\0';
    if (memchr(text, '\0', n)) {
        fprintf(stderr,
                "%s: error: this is no text form; `inlay opt --certify FILE` writes that "
                "of a model in another format to FILE.model, of its result to FILE.out\n",
                path);
        exit(INVALID);
    }
    return (struct reader){path, text, text + n, text, 1, text, false, 0};
}

graph *read_graph(const char *path, bool stated)
{
    struct reader r = open_file(path);
    word name;
    graph *g;

    r.stated = stated;
    if (!takes(&r, "graph"))
        fail_at(path, line_of(&r),
                "\"graph\" was expected: this is no text form; `inlay opt "
                "--certify FILE` writes that of a model in another format to "
                "FILE.model, of its result to FILE.out");
    skip(&r);
    name = read_word(&r, false);
    g = read_body(&r);
    g->name = name;
    skip(&r);
    if (*r.p)
        expected(&r, "the end of the file");
    return g;
}

static place *read_path(struct reader *r)
{
    place *p = keep(sizeof *p);
    int depth = 0;

    for (skip(r); *r->p == '%'; skip(r)) {
        word name = read_name(r);
        int body = (int)read_int(r);

        p->path = append(p->path, &depth, sizeof name, &name);
        p->body = append(p->body, &p->depth, sizeof body, &body);
    }
    return p;
}

static bool read_edit(struct reader *r, edit *e)
{
    if (takes(r, "-")) {
        e->kind = GOES;
        e->name = read_name(r);
    } else if (takes(r, "+")) {
        e->kind = COMES;
        e->node = read_node(r);
        e->name = e->node->name;
    } else if (takes(r, "@")) {
        e->kind = READS;
        e->node = keep(sizeof *e->node);
        e->name = e->node->name = read_name(r);
        read_operands(r, e->node);
    } else {
        return false;
    }
    return true;
}

static void read_step(struct reader *r, application *s)
{
    place **to = &s->first;
    edit **last;

    s->line = line_of(r);
    s->serial = (long)read_int(r);
    s->pass = read_name(r);
    if (takes(r, "rule")) {
        s->rule = read_name(r);
        skip(r);
        s->promise = read_word(r, false);
        must(r, "of");
        s->set = read_name(r);
    }
    if (takes(r, "from")) {
        s->from = read_name(r);
        must(r, "line");
        read_int(r);
    }
    *to = keep(sizeof **to);
    last = &(*to)->first;
    for (;;) {
        edit e = {0};

        if (takes(r, "graph")) {
            to = &(*to)->next;
            *to = read_path(r);
            last = &(*to)->first;
        } else if (read_edit(r, &e)) {
            *last = keep(sizeof e);
            **last = e;
            last = &(*last)->next;
        } else {
            return;
        }
    }
}

application *read_certificate(const char *path)
{
    struct reader r = open_file(path);
    application *first = NULL, **to = &first;

    if (!takes(&r, "certificate"))
        fail_at(path, 1, "\"certificate\" was expected: `inlay opt --certify` writes one");
    if (read_int(&r) != 1)
        fail_at(path, 1, "the certificate is of a later version");
    while (takes(&r, "step")) {
        *to = keep(sizeof **to);
        read_step(&r, *to);
        to = &(*to)->next;
    }
    skip(&r);
    if (*r.p)
        expected(&r, "a step");
    return first;
}

bool is_op(const node *n, const char *op)
{
    return strcmp(n->op, op) == 0 && !n->set;
}

const attr *attr_of(const node *n, const char *name)
{
    for (int i = 0; i < n->n_attrs; i++) {
        if (strcmp(n->attrs[i].name, name) == 0)
            return &n->attrs[i];
    }
    return NULL;
}

int64_t attr_int(const node *n, const char *name, int64_t otherwise)
{
    const attr *a = attr_of(n, name);

    return a ? strtoll(a->text, NULL, 10) : otherwise;
}

bool attr_is(const node *n, const char *name, const char *text)
{
    const attr *a = attr_of(n, name);

    return a && a->n == strlen(text) && memcmp(a->text, text, a->n) == 0;
}

const char *literal_of(const node *n, value *out, bool *hashed, size_t *length)
{
    const attr *a = is_op(n, "Const") ? attr_of(n, "value") : NULL;
    const char *p = a ? a->text : NULL;
    size_t type = 0;

    while (p && (is_letter(p[type]) || is_digit(p[type])))
        type++;
    if (!p || type == 0)
        return NULL;
    *out = (value){.type = word_of(p, type)};
    p += type;
    out->shape = shape_at(&p);
    if (!out->shape)
        return NULL;
    *hashed = *p == '#';
    *length = a->n - (size_t)(p - a->text);
    if (out->shape->rank == 0 && *p == '[' && *length > 2) { /* a scalar, as people write it, too */
        p++;
        *length -= 2;
    }
    return p;
}
