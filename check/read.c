/* Texts as trees of words and brackets, and the graphs that they are (ir/text/TEXT.md), in the form
 * in which they are printed: a node on each line. */
#include "check/check.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void *room(size_t n)
{
    void *p = calloc(n, 1);

    if (!p) {
        fprintf(stderr, "inlay-check: out of memory\n");
        exit(NO_RESOURCE);
    }
    return p;
}

void *keep(size_t n)
{
    static char *at;
    static size_t left;

    n = (n + 15) / 16 * 16;
    if (n > left) {
        left = n > 1 << 20 ? n : 1 << 20;
        at = room(left);
    }
    left -= n;
    at += n;
    return at - n;
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

/* What is known of a string of bytes: of words nothing, of a graph with a name its node. */
typedef struct entry {
    struct entry *next;
    node *is;
    size_t n;
    char bytes[];
} entry;

static entry *entry_of(const void *key, size_t n)
{
    static entry *table[1 << 17];
    const unsigned char *p = key;
    uint64_t h = n;
    entry **at, *e;

    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    at = &table[h % (1 << 17)];
    for (e = *at; e && (e->n != n || memcmp(e->bytes, key, n) != 0); e = e->next)
        ;
    if (!e) {
        e = keep(sizeof *e + n + 1);
        memcpy(e->bytes, key, n);
        e->n = n;
        e->next = *at;
        *at = e;
    }
    return e;
}

word word_of(const char *p, size_t n)
{
    return entry_of(p, n)->bytes;
}

node **slot_of(const graph *g, word name)
{
    const void *const key[2] = {g, name};
    node **at = &entry_of(key, sizeof key)->is;

    if (!*at) {
        *at = keep(sizeof **at);
        **at = (node){.name = name, .flags = ""};
    }
    return at;
}

const char *shown(const char *text)
{
    char *to = keep(4 * strlen(text) + 1), *end = to;

    for (; *text; text++)
        end += sprintf(end, *text < ' ' || *text > '~' ? "\\x%02x" : "%c", (unsigned char)*text);
    return to;
}

_Noreturn void fail(const tree *t, const char *fmt, ...)
{
    size_t line = 1;
    char why[1000];
    va_list args;

    for (const char *p = t ? t->file->text : NULL; t && p < t->from; p++)
        line += *p == '\n';
    if (t)
        fprintf(stderr, "%s:%zu: ", shown(t->file->path), line);
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    fprintf(stderr, "error: %s", shown(why));
    fprintf(stderr, t ? ", found \"%.160s\"\n" : "\n",
            t ? shown(word_of(t->text, strnlen(t->text, 40))) : "");
    exit(INVALID);
}

/* The length of the word, string or sign at P; 0: it has no end. A name may be in quotes. */
static size_t length_at(const char *p)
{
    size_t n = *p == '%' && p[1] == '"';

    if (p[n] != '"')
        return strchr(",;=:()[]{}", *p) ? 1 : strcspn(p, " \n\t\r,;=:()[]{}\"");
    for (n++; p[n] && p[n] != '"'; n++)
        n += p[n] == '\\' && p[n + 1];
    return p[n] ? n + 1 : 0;
}

/* What stands at *P, up to the bracket that ENDS it or the end of the text. */
static tree *trees_at(const file *f, const char **p, char ends, int depth)
{
    tree *first = NULL, **last = &first, *t;

    for (;; last = &t->next, *last = NULL) {
        size_t n;

        *last = t = keep(sizeof *t);
        t->file = f;
        t->begins = *p == f->text;
        for (; **p && (strchr(" \n\t\r", **p) || strncmp(*p, "//", 2) == 0); ++*p) {
            *p += **p == '/' ? strcspn(*p, "\n") - 1 : 0;
            t->begins |= **p == '\n';
        }
        t->from = *p;
        n = **p ? length_at(*p) : 0;
        t->text = word_of(*p, n);
        if (**p == ends)
            return *last = NULL, first;
        if (n == 0 || depth > 300 || strchr(")]}", **p))
            fail(t, "the brackets do not fit");
        *p += n;
        if (strchr("([{", *t->text))
            t->in = trees_at(f, p,
                             *t->text == '('   ? ')'
                             : *t->text == '[' ? ']'
                                               : '}',
                             depth + 1),
            ++*p;
        t->to = *p;
    }
}

tree *trees_of(const file *f)
{
    const char *p = f->text;

    return trees_at(f, &p, '\0', 0);
}

bool takes(tree **t, const char *text)
{
    bool is = *t && strcmp((*t)->text, text) == 0;

    *t = is ? (*t)->next : *t;
    return is;
}

void must(tree **t, const char *text)
{
    if (!takes(t, text))
        fail(*t, "\"%s\" was expected", text);
}

/* A word, or a name behind its %; or what stands in their quotes. */
word read_word(tree **t, bool name)
{
    word text = *t ? (*t)->text : ",";

    if (name ? *text != '%' : strchr(",;=:()[]{}", *text) != NULL)
        fail(*t, name ? "a name was expected" : "a word was expected");
    text += name;
    *t = (*t)->next;
    return *text == '"' ? word_of(text + 1, strlen(text) - 2) : word_of(text, strlen(text));
}

int64_t read_int(tree **t)
{
    char *end = NULL;
    long long x = *t ? strtoll((*t)->text, &end, 10) : 0;

    if (!*t || end == (*t)->text)
        fail(*t, "an integer was expected");
    *t = (*t)->next;
    return x;
}

element read_operand(tree **t, graph *g)
{
    element e = {NULL, 0, 0};

    if (g->is_rule)
        return read_term(t, g);
    if (takes(t, "none"))
        return e;
    e.n = *slot_of(g, read_word(t, true));
    if (takes(t, ":"))
        e.k = (int)read_int(t);
    return e;
}

static void read_operands(tree **t, graph *g, node *n)
{
    tree *in = *t ? (*t)->in : NULL;

    if (!takes(t, "("))
        return;
    for (; in; in = in ? in->next : NULL) {
        element e = read_operand(&in, g);

        *(element *)more(&n->in, &n->n_in, sizeof e) = e;
        if (in && *in->text != ',')
            fail(in, "a comma was expected");
    }
    while (n->n_in > 0 && !n->in[n->n_in - 1].n)
        n->n_in--; /* absent at the end says nothing */
}

static void read_attrs(tree **t, node *n)
{
    tree *in = *t ? (*t)->in : NULL;

    if (!takes(t, "{"))
        return;
    for (; in; in = in ? in->next : NULL) {
        attr a = {.name = read_word(&in, false)};
        const char *to = NULL;

        a.value = takes(&in, "=") ? in : NULL;
        for (; in && *in->text != ','; in = in->next)
            to = in->to;
        a.text = a.value && to ? word_of(a.value->from, (size_t)(to - a.value->from)) : a.name;
        *(attr *)more(&n->attrs, &n->n_attrs, sizeof a) = a;
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

void read_call(tree **t, graph *g, node *n)
{
    word text = read_word(t, false);
    const char *set = strchr(text, '@'), *version = g->is_rule ? NULL : strrchr(text, '-');

    text += strspn(text, "?."); /* a stand-in; several */
    n->version = version ? strtoll(version + 1, NULL, 10) : 0;
    set = set ? set : text + strlen(text);
    n->op = word_of(text, (size_t)((n->version ? version : set) - text));
    if (*set && (g->is_rule || strncmp(set, "@opset", 6) != 0))
        n->set = word_of(set + 1, strlen(set + 1));
    n->flags = "";
    for (size_t i = 0; !n->set && !*n->flags && i < N_ROWS; i++)
        n->flags = strcmp(rows[i].op, n->op) == 0 ? rows[i].flags : "";
    read_operands(t, g, n);
    read_attrs(t, n);
}

/* `[2,?,1..8,?#batch]` */
static const shape *read_shape(tree **t)
{
    shape *s = keep(sizeof *s);
    tree *in = *t ? (*t)->in : NULL;

    must(t, "[");
    for (; in && s->rank >= 0; in = in->next) {
        char *end;
        int64_t x = strtoll(in->text, &end, 10);

        if (strcmp(in->text, "...") == 0 || s->rank == MAX_RANK)
            s->rank = -2; /* or so many that it is left open */
        else
            s->dims[s->rank] = end == in->text || *end ? OPEN : x;
        s->rank++;
        while (in->next && *in->text != ',')
            in = in->next;
    }
    return s;
}

static void read_value(tree **t, graph *g, value *v)
{
    static const char *const notes[] = {"", "view", "overwrites", "into"};

    v->type = read_word(t, false);
    v->shape = read_shape(t);
    if (takes(t, "as")) {
        while (*t && *(*t)->text == '"')
            *t = (*t)->next;
    }
    for (int i = VIEW_OF; i <= INTO && v->note == FRESH; i++) {
        if (takes(t, notes[i])) {
            takes(t, "of");
            v->note = (note_kind)i;
            v->target = read_operand(t, g);
        }
    }
    while (*t && !(*t)->begins && *(*t)->text != ',')
        *t = (*t)->next; /* grounds, and what else there is to know */
}

/* The literal of a Const gives its type and shape, and its elements, unless they are a hash. */
static void read_literal(node *n)
{
    tree *t = n->n_attrs ? n->attrs->value : NULL;
    value *v = n->out;
    int count = 0;

    if (!is_op(n, "Const") || !t)
        return;
    v->claimed = false;
    v->type = read_word(&t, false);
    v->shape = read_shape(&t);
    if (!t || *t->text == '#')
        return;
    for (t = *t->text == '[' ? t->in : t; t; t = t->next) {
        if (*t->text != ',')
            *(word *)more(&n->elements, &count, sizeof *n->elements) = t->text;
    }
    n->elements = (size_t)count == count_of(v->shape) ? n->elements : NULL;
}

static graph *read_body(tree *t, int depth);

static tree *next_line(tree *t)
{
    do
        t = t->next;
    while (t && !t->begins);
    return t;
}

/* One word for the lines BEFORE and that at *T. */
static word line_behind(word before, tree **t)
{
    const char *from = (*t)->from, *to;
    const void *both[2] = {before, NULL};

    do {
        to = (*t)->to;
        *t = (*t)->next;
    } while (*t && !(*t)->begins);
    both[1] = word_of(from, (size_t)(to - from));
    return word_of((const char *)both, sizeof both);
}

/* `body "name" {`; behind it stands its port map, in lines that begin with in, out or back. */
static void read_bodies(tree **t, node *n, int depth)
{
    while (*t && (*t)->next && *(*t)->next->text == '"' && (*t)->next->next &&
           *(*t)->next->next->text == '{') {
        int count = n->n_bodies;
        word rim = NULL;

        *(graph **)more(&n->bodies, &count, sizeof(graph *)) =
            read_body((*t)->next->next->in, depth + 1);
        for (*t = next_line(*t);
             *t && strchr("iob", *(*t)->text) && (!(*t)->next || *(*t)->next->text != '"');)
            rim = line_behind(rim, t);
        *(word *)more(&n->rims, &n->n_bodies, sizeof(word)) = rim;
    }
}

node *read_node(tree **t, graph *g)
{
    static int unwritten = 1 << 20; /* outputs without a type that there may be */
    tree *line = *t;
    node *n = keep(sizeof *n);
    int64_t outputs = -1;

    n->text = line ? line->from : NULL;
    n->name = read_word(t, true);
    if (takes(t, ":"))
        outputs = read_int(t);
    must(t, "=");
    read_call(t, g, n);
    for (bool is = takes(t, ":"); is; is = takes(t, ","))
        read_value(t, g, more(&n->out, &n->n_out, sizeof *n->out));
    for (; n->n_out < (outputs >= 0 ? outputs : 1) && unwritten > 0; unwritten--)
        *(value *)more(&n->out, &n->n_out, sizeof *n->out) = (value){0};
    for (int k = 0; k < n->n_out; k++)
        n->out[k].claimed = line->file->claims;
    read_literal(n);
    *t = next_line(line);
    read_bodies(t, n, g->depth);
    return n;
}

const element *missing_operand(const node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        const element *e = &n->in[i];

        if (e->n && (!e->n->op || e->k < 0 || e->k >= e->n->n_out))
            return e;
    }
    return NULL;
}

static graph *read_body(tree *t, int depth)
{
    graph *g = keep(sizeof *g);
    tree *first = t;

    g->depth = depth;
    while (t) {
        node *n, *at;

        if (*t->text != '%') { /* the order, metadata, a variable */
            if (strcmp(t->text, "variable") == 0)
                g->variables = line_behind(g->variables, &t);
            else
                t = next_line(t);
            continue;
        }
        n = read_node(&t, g);
        at = *slot_of(g, n->name);
        if (at->op)
            fail(first, "the name \"%s\" is used twice", n->name);
        *at = *n;
        *(node **)more(&g->nodes, &g->n_nodes, sizeof n) = at;
    }
    for (int i = 0; i < g->n_nodes; i++) {
        const element *e = missing_operand(g->nodes[i]);

        if (e)
            fail(first, "\"%s\" reads \"%s:%d\", which there is not", g->nodes[i]->name, e->n->name,
                 e->k);
    }
    return g;
}

file open_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    int n = 0;

    if (!f)
        fail(NULL, "%s: %s", path, strerror(errno));
    for (int c; (c = getc(f)) != EOF && n < INT_MAX / 4;)
        *(char *)more(&text, &n, 1) = (char)c;
    *(char *)more(&text, &n, 1) = '\0';
    fclose(f);
    return (file){path, text, (size_t)n - 1, false};
}

/* What is packed is bits, written by the range coder of LZMA. */
typedef struct coder {
    const unsigned char *p, *end;
    uint32_t range, code;
} coder;

/* How much more probable than 1024 of 2048 a 0 is, after USED bits. */
typedef struct chance {
    int16_t more, used;
} chance;

static bool bit_of(coder *c, chance *of)
{
    uint32_t zero = (uint32_t)(1024 + of->more), bound = (c->range >> 11) * zero;
    bool one = c->code >= bound;
    int rate = 1 + of->used / 2;

    c->code -= one ? bound : 0;
    c->range = one ? c->range - bound : bound;
    of->more = (int16_t)(of->more + (one ? -(int)(zero >> rate) : (int)((2048 - zero) >> rate)));
    of->used = (int16_t)(of->used + (of->used < 6));
    for (; c->range < 1u << 24; c->range <<= 8)
        c->code = c->code << 8 | (c->p < c->end ? *c->p++ : 0);
    return one;
}

static size_t symbol_of(coder *c, chance *of, int bits)
{
    size_t x = 1;

    for (int i = 0; i < bits; i++)
        x = x << 1 | bit_of(c, &of[x]);
    return x - ((size_t)1 << bits);
}

/* The length in bits, and the bits behind the first. */
static size_t number_of_bits(coder *c, chance (*of)[32])
{
    size_t n = symbol_of(c, of[0], 5), x = 1;

    for (size_t i = n - 1; n > 0 && i-- > 0;)
        x = x << 1 | bit_of(c, &of[n][i]);
    return x;
}

/* The certificate in the last of three files, which may be packed: bytes of its own and copies of
 * what stands in the files before, or in itself (cli/pack.c). */
file open_certificate(const char *const *paths)
{
    static const char head[] = "packed 1\n";
    static const char usual[] = "step %trim-bodies\nstep %fuse rule %\nstep %canonicalize rule "
                                "%constant-to-the-right\n+ %Const"
                                "step %simplify rule %\nstep %eliminate-common\n@ %\nstep "
                                "%fold-constants\n+ %certificate 1\n";
    static chance is_copy[2][256], is_near[1], is_back[1], literals[256][256], numbers[4][32][32];
    file of[3] = {open_file(paths[0]), open_file(paths[1]), open_file(paths[2])};
    size_t begin = of[0].n + of[1].n + sizeof usual - 1, last = 0, size;
    coder c = {.end = (const unsigned char *)of[2].text + of[2].n, .range = UINT32_MAX};
    char *text;

    of[2].claims = true;
    if (strncmp(of[2].text, head, sizeof head - 1) != 0)
        return of[2];
    c.p = (const unsigned char *)of[2].text + sizeof head - 1;
    for (int i = 0; i < 4; i++)
        c.code = c.code << 8 | (c.p < c.end ? *c.p++ : 0);
    size = number_of_bits(&c, numbers[0]) - 1;
    if (size > 1 << 30 || size > 64 * (begin + of[2].n) + (1 << 20))
        fail(NULL, "%s: the certificate is too long", paths[2]);
    text = keep(begin + size + 1);
    memcpy(text, of[0].text, of[0].n);
    memcpy(text + of[0].n, of[1].text, of[1].n);
    memcpy(text + of[0].n + of[1].n, usual, sizeof usual - 1);
    for (size_t n = begin, copied = 0; n < begin + size;) {
        unsigned char before = n ? (unsigned char)text[n - 1] : 0;
        size_t from, length = 1;

        copied = bit_of(&c, &is_copy[copied][before]);
        if (!copied) {
            text[n++] = (char)symbol_of(&c, literals[before], 8);
            continue;
        }
        length = number_of_bits(&c, numbers[1]);
        if (bit_of(&c, is_near)) {
            bool is_before = bit_of(&c, is_back);

            from = number_of_bits(&c, numbers[2]) - 1;
            from = is_before ? last - from : last + from;
        } else {
            from = n - number_of_bits(&c, numbers[3]);
        }
        if (from >= n || length > begin + size - n)
            fail(NULL, "%s: the certificate is not of these files", paths[2]);
        for (last = from + length; from < last; from++)
            text[n++] = text[from];
    }
    return (file){paths[2], strstr(text + of[0].n + of[1].n, "certificate"), size, true};
}

graph *read_graph(const char *path)
{
    file *f = keep(sizeof *f);
    tree *t;

    *f = open_file(path);
    t = trees_of(f);
    if (!takes(&t, "graph"))
        fail(t,
             "%s: \"graph\" was expected: this is no text form; `inlay opt --certify FILE` "
             "writes that of a model in another format to FILE.model, of its result to FILE.out",
             path);
    read_word(&t, false);
    if (!t || *t->text != '{' || t->next)
        fail(t, "a body, and the end of the file, were expected");
    return read_body(t->in, 0);
}

bool is_op(const node *n, const char *op)
{
    return n->op && strcmp(n->op, op) == 0 && !n->set;
}

bool has_flag(const node *n, const char *flag)
{
    return strstr(n->flags, flag);
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

word attr_of(const node *n, const char *name)
{
    for (int i = 0; i < n->n_attrs; i++) {
        if (strcmp(n->attrs[i].name, name) == 0)
            return n->attrs[i].text;
    }
    return NULL;
}

/* Rows have ` axis=0`, or of a list ` strides=1;1`. */
word attr_or_default(const node *n, const char *name)
{
    word text = attr_of(n, name);
    size_t length = strlen(name);

    for (size_t i = 0; !text && i < N_ROWS; i++) {
        const char *p = strcmp(rows[i].op, n->op) == 0 ? rows[i].attrs : "";

        while ((p = strstr(p, name)) && !(p[-1] == ' ' && strchr("(@=", p[length])))
            p++;
        p = p ? p + strcspn(p, "=,") : "";
        text = *p == '=' ? word_of(p + 1, strcspn(p + 1, ",")) : NULL;
    }
    return text;
}

bool attr_is(const node *n, const char *name, const char *text)
{
    return attr_of(n, name) && strcmp(attr_of(n, name), text) == 0;
}
