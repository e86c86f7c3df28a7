/* The text form (ir/text/TEXT.md), read. */
#include "check/check.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

static void *of_system(void *p)
{
    if (!p) {
        fprintf(stderr, "inlay-check: out of memory\n");
        exit(NO_RESOURCE);
    }
    return p;
}

void *keep(size_t n)
{
    static char *room;
    static size_t left;

    n = (n + 15) / 16 * 16;
    if (n > left) {
        left = n > 1 << 20 ? n : 1 << 20;
        room = of_system(calloc(left, 1));
    }
    left -= n;
    room += n;
    return room - n;
}

void *more(void *list, int *n, size_t size)
{
    char **at = list;

    if ((*n & (*n - 1)) == 0) { /* 0, 1, 2, 4, ... */
        char *now = keep((size_t)(*n ? 2 * *n : 1) * size);

        if (*n)
            memcpy(now, *at, (size_t)*n * size);
        *at = now;
    }
    return *at + (size_t)(*n)++ * size;
}

/* A table of what has a key of two parts: words by their text, nodes by graph and name. */
typedef struct entry {
    const void *key;
    size_t n;
    void *is;
} entry;
typedef struct table {
    entry *list;
    size_t cap, used;
    bool texts;
} table;

static uint64_t hash(const table *t, const void *key, size_t n)
{
    const unsigned char *p = key;
    uint64_t h = n;

    for (size_t i = 0; t->texts && i < n; i++)
        h = (h ^ p[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return t->texts ? h : ((uintptr_t)key / 16 + n * 31) * 0x9e3779b97f4a7c15u >> 20;
}

static entry *entry_of(table *t, const void *key, size_t n)
{
    size_t i = hash(t, key, n);
    entry *e;

    if (2 * (t->used + 1) > t->cap) {
        table grown = {of_system(calloc(t->cap ? 2 * t->cap : 4096, sizeof *e)),
                       t->cap ? 2 * t->cap : 4096, 0, t->texts};

        for (size_t k = 0; k < t->cap; k++) {
            if (t->list[k].key)
                *entry_of(&grown, t->list[k].key, t->list[k].n) = t->list[k];
        }
        grown.used = t->used;
        free(t->list);
        *t = grown;
    }
    for (; (e = &t->list[i & (t->cap - 1)])->key; i++) {
        if (e->n == n && (t->texts ? memcmp(e->key, key, n) == 0 : e->key == key))
            return e;
    }
    return e;
}

word word_of(const char *p, size_t n)
{
    static table words = {.texts = true};
    entry *e = entry_of(&words, p, n);

    if (!e->key) {
        char *copy = keep(n + 1);

        memcpy(copy, p, n);
        *e = (entry){copy, n, NULL};
        words.used++;
    }
    return e->key;
}

word word_of_number(int64_t x)
{
    char text[32];

    return word_of(text, (size_t)snprintf(text, sizeof text, "%lld", (long long)x));
}

static table nodes;

node *find(const graph *g, word name)
{
    return g && name ? entry_of(&nodes, name, (uintptr_t)g)->is : NULL;
}

void set_node(const graph *g, word name, node *n)
{
    entry *e = entry_of(&nodes, name, (uintptr_t)g);

    nodes.used += !e->key;
    *e = (entry){name, (uintptr_t)g, n};
}

_Noreturn void fail(const reader *r, const char *fmt, ...)
{
    size_t line = 1;
    va_list args;

    for (const char *p = r->start; p < r->p; p++)
        line += *p == '\n';
    fprintf(stderr, "%s:%zu: error: ", r->file, line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fprintf(stderr, "\n");
    exit(INVALID);
}

static _Noreturn void expected(const reader *r, const char *what)
{
    fail(r, "%s was expected, found \"%.*s\"", what,
         (int)(strcspn(r->p, "\n") < 40 ? strcspn(r->p, "\n") : 40), r->p);
}

void skip(reader *r)
{
    for (;;) {
        r->p += strspn(r->p, " \n\t\r");
        if (r->p[0] != '/' || r->p[1] != '/')
            return;
        r->p += strcspn(r->p, "\n");
    }
}

/* What stands between the quotes, as it is written: the printer writes it in one way. */
static word read_string(reader *r)
{
    const char *start = ++r->p;

    for (; *r->p != '"'; r->p++) {
        r->p += *r->p == '\\';
        if (*r->p == '\0' || *r->p == '\n')
            expected(r, "the end of a string");
    }
    return word_of(start, (size_t)(r->p++ - start));
}

/* The length of the word at P, which names and operations may be: `a.b`, `exclude-pad`, `Add` of
 * `Add-1`; with NAME one as behind a %, `a/b-1`. */
static size_t length_of_word(const char *p, bool name)
{
    size_t n = strspn(p, LETTERS "._");

    while (name ? p[n] == '/' || p[n] == '-'
                : n > 0 && p[n] == '-' && isalpha((unsigned char)p[n + 1]))
        n += 1 + strspn(p + n + 1, LETTERS "._");
    return n;
}

/* A word, or, with NAME, what may follow a %; either may be in quotes. */
word read_word(reader *r, bool name)
{
    size_t n;

    skip(r);
    if (*r->p == '"')
        return read_string(r);
    n = length_of_word(r->p, name);
    if (n == 0)
        expected(r, name ? "a name" : "a word");
    return word_of((r->p += n) - n, n);
}

bool takes(reader *r, const char *text)
{
    size_t n = strlen(text);

    skip(r);
    if (strncmp(r->p, text, n) != 0 ||
        (isalpha((unsigned char)*text) && length_of_word(r->p, false) > n))
        return false;
    r->p += n;
    return true;
}

void must(reader *r, const char *text)
{
    if (!takes(r, text))
        expected(r, text);
}

int64_t read_int(reader *r)
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

word read_name(reader *r)
{
    must(r, "%");
    return read_word(r, true);
}

static operand read_operand(reader *r)
{
    operand o = {NULL, 0};

    if (takes(r, "none"))
        return o;
    o.name = read_name(r);
    if (*r->p == ':' && isdigit((unsigned char)r->p[1]))
        r->p++, o.index = (int)read_int(r);
    return o;
}

void read_operands(reader *r, node *n)
{
    if (!takes(r, "(") || takes(r, ")"))
        return;
    do {
        operand o = read_operand(r);

        *(operand *)more(&n->in, &n->n_in, sizeof o) = o;
    } while (takes(r, ","));
    must(r, ")");
    while (n->n_in > 0 && !n->in[n->n_in - 1].name)
        n->n_in--; /* absent at the end says nothing */
}

/* Text up to a comma or the end of the brackets around it. */
static word read_text(reader *r)
{
    const char *start = (skip(r), r->p);
    size_t n;
    int depth = 0;

    for (; depth > 0 || !strchr(",})", *r->p); r->p++) {
        if (*r->p == '\0')
            expected(r, "the end of a value");
        if (*r->p == '"')
            read_string(r), r->p--;
        depth += strchr("[({", *r->p) ? 1 : strchr("])}", *r->p) ? -1 : 0;
    }
    for (n = (size_t)(r->p - start); n > 0 && strchr(" \n", start[n - 1]); n--)
        ;
    return word_of(start, n);
}

/* Up to the } that belongs to the next {. */
static void pass_meta(reader *r)
{
    int depth = 0;

    skip(r);
    do {
        depth += *r->p == '{' ? 1 : *r->p == '}' ? -1 : 0;
        if (*r->p == '\0')
            expected(r, "}");
        if (*r->p == '"')
            read_string(r);
        else
            r->p++;
    } while (depth > 0);
}

/* `2`, `?`, `1..8`, `?#batch`. */
static int64_t dim_at(const char **p)
{
    char *end;
    int64_t x = strtoll(*p, &end, 10);

    x = end == *p || *end == '.' ? OPEN : x;
    *p = end + strcspn(end, ",]\"");
    if (**p == '"')
        *p += strcspn(*p + 1, "\"") + 2;
    return x;
}

/* The shape at *P, which is moved behind it; NULL: there is none. */
static const shape *shape_at(const char **p)
{
    shape *s = keep(sizeof *s);

    if (*(*p)++ != '[')
        return NULL;
    if (strncmp(*p, "...", 3) == 0)
        s->rank = -1, *p += 3;
    for (*p += strspn(*p, " ,"); **p && **p != ']'; *p += strspn(*p, " ,")) {
        if (s->rank < 0 || s->rank == MAX_RANK)
            return NULL;
        s->dims[s->rank++] = dim_at(p);
    }
    *p += **p == ']';
    return s;
}

static void read_value(reader *r, value *v)
{
    v->type = read_word(r, false);
    skip(r);
    v->shape = shape_at(&r->p);
    if (!v->shape)
        expected(r, "a shape");
    if (takes(r, "as")) {
        while (skip(r), *r->p == '"')
            read_string(r);
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

static graph *read_body(reader *r);

/* What stands between the brackets of a body and the next node is its port map. */
static void read_bodies(reader *r, node *n)
{
    for (;;) {
        const char *start = r->p, *rim;
        int count = n->n_bodies;
        graph *g;

        skip(r);
        if (!isalpha((unsigned char)*r->p))
            return;
        read_word(r, false);
        skip(r);
        if (*r->p != '"' || (read_string(r), skip(r), *r->p != '{')) {
            r->p = start;
            return;
        }
        g = read_body(r);
        rim = "";
        while (skip(r), strncmp(r->p, "in ", 3) == 0 || strncmp(r->p, "out ", 4) == 0 ||
                            strncmp(r->p, "back ", 5) == 0) {
            size_t had = strlen(rim), length = strcspn(r->p, "\n") + 1;
            char *longer = keep(had + length + 1);

            memcpy(longer, rim, had);
            memcpy(longer + had, r->p, length);
            rim = longer;
            r->p += length;
        }
        *(graph **)more(&n->bodies, &count, sizeof g) = g;
        *(word *)more(&n->rims, &n->n_bodies, sizeof rim) = word_of(rim, strlen(rim));
    }
}

static const struct row {
    const char *op, *attrs, *flags;
} rows[] = {
#define OP(name, version, sets, in, out, attrs, flags, ...) {name, attrs, flags},
#define NEWEST(...)
#define SHAPE(...)
#define DIFFERS(...)
#include "ir/ops/ops.def"
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static void read_op(reader *r, node *n)
{
    skip(r);
    r->p += *r->p == '?'; /* a stand-in */
    n->op = read_word(r, false);
    if (*r->p == '-')
        r->p++, n->version = read_int(r);
    if (*r->p == '@')
        r->p++, n->set = read_word(r, false);
    if (n->set && strncmp(n->set, "opset", 5) == 0)
        n->set = NULL;
    n->flags = "";
    for (size_t i = 0; !n->set && !*n->flags && i < N_ROWS; i++)
        n->flags = strcmp(rows[i].op, n->op) == 0 ? rows[i].flags : "";
}

bool has_flag(const node *n, const char *flag)
{
    return strstr(n->flags, flag);
}

void read_attrs(reader *r, node *n)
{
    if (!takes(r, "{"))
        return;
    do {
        attr a;

        if (takes(r, "..."))
            a = (attr){word_of("...", 3), NULL};
        else
            a.name = read_word(r, false), must(r, "="), a.text = read_text(r);
        *(attr *)more(&n->attrs, &n->n_attrs, sizeof a) = a;
    } while (takes(r, ","));
    must(r, "}");
}

/* The literal of a Const gives its type and shape, and its elements, unless they are a hash. */
static void read_literal(node *n)
{
    word text = is_op(n, "Const") ? attr_of(n, "value") : NULL;
    const char *p = text ? text + strspn(text, LETTERS) : NULL;
    value *v = n->out;
    size_t count = 1;

    if (p == text)
        return;
    *v = (value){.type = word_of(text, (size_t)(p - text)), .shape = shape_at(&p)};
    p += *p == ' ';
    for (int i = 0; v->shape && i < v->shape->rank; i++)
        count *= (size_t)v->shape->dims[i];
    if (!v->shape || *p == '#' || strncmp(text, "string", 6) == 0 || count > strlen(p) + 1)
        return;
    n->elements = keep((count + 1) * sizeof *n->elements);
    for (p += *p == '['; *p && n->n_elements < count; p += strcspn(p, ",]"), p += *p != '\0')
        n->elements[n->n_elements++] = p += strspn(p, " ");
}

node *read_node(reader *r, bool claimed)
{
    node *n = keep(sizeof *n);
    int64_t outputs = -1;

    skip(r);
    n->text = r->p;
    n->name = read_name(r);
    if (takes(r, ":"))
        outputs = read_int(r);
    must(r, "=");
    read_op(r, n);
    read_operands(r, n);
    read_attrs(r, n);
    if (takes(r, ":")) {
        do {
            value *v = more(&n->out, &n->n_out, sizeof *v);

            *v = (value){.claimed = claimed};
            read_value(r, v);
        } while (takes(r, ","));
    }
    if (outputs < 0 && n->n_out == 0)
        outputs = 1;
    while (n->n_out < outputs && n->n_out < 1 << 16)
        *(value *)more(&n->out, &n->n_out, sizeof *n->out) = (value){.claimed = claimed};
    for (;;) {
        if (takes(r, "label") || takes(r, "output_names"))
            read_word(r, false);
        else if (takes(r, "rt_info"))
            pass_meta(r);
        else
            break;
    }
    read_bodies(r, n);
    n->n_text = (size_t)(r->p - n->text);
    read_literal(n);
    return n;
}

static void count_uses(reader *r, const graph *g)
{
    for (int i = 0; i < g->n_nodes; i++) {
        const node *n = g->nodes[i];

        for (int k = 0; k < n->n_in; k++) {
            node *from = find(g, n->in[k].name);

            if (n->in[k].name && (!from || n->in[k].index >= from->n_out || n->in[k].index < 0))
                fail(r, "\"%s\" reads \"%s:%d\", which there is not", n->name, n->in[k].name,
                     n->in[k].index);
            if (from)
                from->uses++;
        }
    }
}

static graph *read_body(reader *r)
{
    graph *g = keep(sizeof *g);

    g->is_body = r->depth > 0;
    if (++r->depth > 64)
        fail(r, "bodies are nested more than 64 deep");
    must(r, "{");
    while (!takes(r, "}")) {
        if (takes(r, "order")) {
            read_name(r), must(r, "before"), read_name(r);
        } else if (takes(r, "meta")) {
            pass_meta(r);
        } else if (takes(r, "ir_version")) {
            read_int(r);
        } else if (takes(r, "variable")) {
            value v = {0};

            read_word(r, false), must(r, ":"), read_value(r, &v);
        } else {
            node *n = read_node(r, false);

            if (find(g, n->name))
                fail(r, "the name \"%s\" is used twice", n->name);
            set_node(g, n->name, n);
            n->place = g->n_nodes;
            *(node **)more(&g->nodes, &g->n_nodes, sizeof n) = n;
        }
    }
    count_uses(r, g);
    r->depth--;
    return g;
}

reader open_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t n = 0, cap = 1 << 16, got;
    char *text = of_system(malloc(cap));

    if (!f) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        exit(INVALID);
    }
    while ((got = fread(text + n, 1, cap - n - 1, f)) > 0) {
        n += got;
        if (cap - n < cap / 2)
            text = of_system(realloc(text, cap *= 2));
    }
    fclose(f);
    text[n] = '\0';
    return (reader){path, text, text, n, 0};
}

static size_t read_digits(reader *r)
{
    size_t x = 0;

    for (int shift = 0; shift < 63 && r->p < r->start + r->n; shift += 7) {
        unsigned char c = (unsigned char)*r->p++;

        x |= (size_t)(c & 127) << shift;
        if (c < 128)
            return x;
    }
    fail(r, "the certificate ends too early, or a number in it is too large");
}

/* The certificate in FILES[2], which may be packed: bytes of its own and copies of what stands in
 * the files before, or in itself (cli/pack.c). */
reader open_certificate(const char *const *files)
{
    enum { MOST_BYTES = 1 << 30 };
    reader r = open_file(files[2]), to = open_file(files[0]), out = open_file(files[1]);
    size_t n = to.n + out.n, had = n;
    char *text = of_system(malloc(had + 1));

    memcpy(text, to.p, to.n);
    memcpy(text + to.n, out.p, out.n);
    free((char *)to.start);
    free((char *)out.start);
    if (!takes(&r, "packed certificate")) {
        free(text);
        return r;
    }
    for (r.p++;;) {
        size_t own = read_digits(&r), copied, back;
        const char *bytes = r.p;

        if (own > r.n - (size_t)(r.p - r.start))
            fail(&r, "the certificate ends too early");
        r.p += own;
        copied = read_digits(&r);
        back = copied ? read_digits(&r) : 1;
        if (back < 1 || back > n + own || copied > MOST_BYTES || n > MOST_BYTES)
            fail(&r, "the certificate is not of these files");
        text = of_system(realloc(text, n + own + copied + 1));
        memcpy(text + n, bytes, own);
        for (n += own; copied > 0; copied--, n++)
            text[n] = text[n - back];
        if (r.p >= r.start + r.n)
            break;
    }
    free((char *)r.start);
    text[n] = '\0';
    return (reader){files[2], text + had, text + had, n - had, 0};
}

graph *read_graph(const char *path)
{
    reader r = open_file(path);
    graph *g;

    if (!takes(&r, "graph"))
        fail(&r, "\"graph\" was expected: this is no text form; `inlay opt --certify FILE` writes "
                 "that of a model in another format to FILE.model, of its result to FILE.out");
    read_word(&r, false);
    g = read_body(&r);
    skip(&r);
    if (*r.p)
        expected(&r, "the end of the file");
    return g;
}

bool is_op(const node *n, const char *op)
{
    return strcmp(n->op, op) == 0 && !n->set;
}

bool is_among(const node *n, const char *const *list)
{
    while (*list && !is_op(n, *list))
        list++;
    return *list != NULL;
}

bool is_enum_word(const char *text)
{
    size_t n = strlen(text);

    for (size_t i = 0; i < N_ROWS; i++) {
        for (const char *p = rows[i].attrs; (p = strstr(p, text)); p++) {
            if (p > rows[i].attrs && strchr("(|", p[-1]) && strchr("|)", p[n]))
                return true;
        }
    }
    return false;
}

/* Lists are written "0;1" there. */
static word default_at(const char *p, bool is_list)
{
    char text[200] = "[";
    size_t n = is_list;

    for (; *p && *p != ',' && n < sizeof text - 3; p++) {
        text[n++] = *p == ';' ? ',' : *p;
        if (*p == ';')
            text[n++] = ' ';
    }
    if (is_list)
        text[n++] = ']';
    return word_of(text, n);
}

word attr_or_default(const node *n, const char *name)
{
    word text = attr_of(n, name);
    size_t length = strlen(name);

    for (size_t i = 0; !text && i < N_ROWS; i++) {
        const char *p = strcmp(rows[i].op, n->op) == 0 ? rows[i].attrs : "", *at;

        while ((p = strstr(p, name)) && !(p[-1] == ' ' && strchr("(@=", p[length])))
            p++;
        at = p ? p + strcspn(p, "=,") : "";
        text = *at == '=' ? default_at(at + 1, p[-2] == 's') : NULL; /* ints */
    }
    return text;
}

word attr_of(const node *n, const char *name)
{
    for (int i = 0; i < n->n_attrs; i++) {
        if (strcmp(n->attrs[i].name, name) == 0)
            return n->attrs[i].text;
    }
    return NULL;
}

int64_t attr_int(const node *n, const char *name)
{
    word text = attr_of(n, name);

    return text ? strtoll(text, NULL, 10) : 0;
}

bool attr_is(const node *n, const char *name, const char *text)
{
    word is = attr_of(n, name);

    return is && strcmp(is, text) == 0;
}
