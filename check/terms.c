/* Values as tags: are two equations of one name the same? */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 1 << 24, MOST_NODES = 600 }; /* in one question */

/* Records of words, each kept once in a question; its number is its identity. */
static struct {
    uint64_t *words;
    size_t n_words, cap_words;
    size_t *begin; /* of record i in words; one more than there are */
    size_t n, cap;
    uint32_t *slots;
    size_t n_slots;
} records;

static void *more(void *list, size_t n)
{
    void *now = realloc(list, n);

    if (!now) {
        fprintf(stderr, "inlay-check: out of memory\n");
        exit(NO_RESOURCE);
    }
    return now;
}

static uint64_t hash_words(const uint64_t *w, size_t n)
{
    uint64_t h = n;

    for (size_t i = 0; i < n; i++) {
        h = (h ^ w[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    return h;
}

static size_t length_of(size_t record)
{
    return records.begin[record + 1] - records.begin[record];
}

static void grow_slots(void)
{
    records.n_slots = records.n_slots ? 2 * records.n_slots : 1024;
    records.slots = more(records.slots, records.n_slots * sizeof *records.slots);
    memset(records.slots, 0, records.n_slots * sizeof *records.slots);
    for (size_t k = 0; k < records.n; k++) {
        size_t i = hash_words(records.words + records.begin[k], length_of(k));

        while (records.slots[i &= records.n_slots - 1])
            i++;
        records.slots[i] = (uint32_t)k + 1;
    }
}

static uint64_t record_of(const uint64_t *w, size_t n)
{
    size_t i;

    if (2 * (records.n + 1) > records.n_slots)
        grow_slots();
    for (i = hash_words(w, n); records.slots[i &= records.n_slots - 1]; i++) {
        size_t at = records.slots[i] - 1;

        if (length_of(at) == n && memcmp(records.words + records.begin[at], w, n * sizeof *w) == 0)
            return at;
    }
    if (records.n_words + n > records.cap_words) {
        records.cap_words = 2 * (records.n_words + n);
        records.words = more(records.words, records.cap_words * sizeof *records.words);
    }
    if (records.n + 2 > records.cap) {
        records.cap = 2 * (records.n + 2);
        records.begin = more(records.begin, records.cap * sizeof *records.begin);
    }
    memcpy(records.words + records.n_words, w, n * sizeof *w);
    records.begin[records.n] = records.n_words;
    records.begin[++records.n] = records.n_words += n;
    records.slots[i] = (uint32_t)records.n;
    return records.n - 1;
}

static void forget_records(void)
{
    if (records.n_slots)
        memset(records.slots, 0, records.n_slots * sizeof *records.slots);
    records.n = records.n_words = 0;
}

/* ---- numbers ---- */

static tag text_tag(word type, word text)
{
    return NUMBER | record_of((uint64_t[]){(uintptr_t)type, (uintptr_t)text}, 2);
}

tag number_tag(int64_t x, word type)
{
    char text[32];

    return text_tag(type, word_of(text, (size_t)snprintf(text, sizeof text, "%lld", (long long)x)));
}

static word type_of(tag t)
{
    return (word)(uintptr_t)records.words[records.begin[t & ~NUMBER]];
}

bool number_of(tag t, int64_t *x)
{
    word text;
    char *end;

    if (!(t & NUMBER) || !strchr("iu", *type_of(t)))
        return false;
    text = (word)(uintptr_t)records.words[records.begin[t & ~NUMBER] + 1];
    *x = strtoll(text, &end, 10);
    return *end == '\0';
}

/* Equal constants are one leaf, whatever their names. */
static uint64_t constant_record(const node *n)
{
    const attr *a = attr_of(n, "value");

    return record_of((uint64_t[]){'c', (uintptr_t)(a ? word_of(a->text, a->n) : NULL)}, 2);
}

static tag leaf_tag(uint64_t record, size_t i)
{
    return record << 32 | i;
}

tags *tags_of_constant(const node *n)
{
    bool hashed;
    size_t length, i = 0;
    value own;
    const char *p = literal_of(n, &own, &hashed, &length), *end;
    tags *t = p ? new_tags(own.type, own.shape) : NULL;
    uint64_t leaf;

    if (!t)
        return NULL;
    if (!hashed && t->n <= 4096 && strcmp(own.type, "string") != 0) {
        end = p + length;
        for (p += *p == '['; i < t->n && p < end; i++) {
            size_t one = strcspn(p, ",]");

            t->at[i] =
                text_tag(own.type, word_of(p, one < (size_t)(end - p) ? one : (size_t)(end - p)));
            p += one + 1;
        }
        return i == t->n ? t : NULL;
    }
    leaf = constant_record(n);
    for (; i < t->n; i++)
        t->at[i] = leaf_tag(leaf, i);
    return t;
}

/* ---- evaluation ---- */

/* What was found out about a node in this question. */
struct found {
    const node *n;
    int level; /* how far what it reads is looked into; 0: it is a leaf */
    bool running, has_whole;
    uint64_t whole;
    tags **out;
};

struct side {
    question *q;
    struct found *found;
    size_t n_found, n_slots;
    size_t elements;
    const char *why;
};

static struct found *find_node(struct side *s, const node *n)
{
    size_t i = (uintptr_t)n / 16 * 0x9e3779b97f4a7c15u >> 20;

    while (s->found[i &= s->n_slots - 1].n && s->found[i].n != n)
        i++;
    return &s->found[i];
}

/* A name stands for what it was before the step; a new one for what it is. */
static const node *node_of(const question *q, word name)
{
    const node *n = find(q->before, name);

    return n ? n : find(q->made, name);
}

static const char *const pointwise[] = {
    "Abs",        "Acos",         "Acosh",      "Add",        "Asin",
    "Asinh",      "Atan",         "Atanh",      "BitwiseAnd", "BitwiseNot",
    "BitwiseOr",  "BitwiseXor",   "Ceiling",    "Clamp",      "Convert",
    "Cos",        "Cosh",         "Divide",     "Elu",        "Equal",
    "Erf",        "Exp",          "Floor",      "FloorMod",   "Gelu",
    "Greater",    "GreaterEqual", "HSigmoid",   "HSwish",     "Less",
    "LessEqual",  "Log",          "LogicalAnd", "LogicalNot", "LogicalOr",
    "LogicalXor", "Maximum",      "Minimum",    "Mish",       "Mod",
    "Multiply",   "Negative",     "NotEqual",   "Power",      "ReLU",
    "Round",      "Select",       "Sigmoid",    "Sign",       "Sin",
    "Sinh",       "SoftPlus",     "SoftSign",   "Sqrt",       "SquaredDifference",
    "Subtract",   "Tan",          "Tanh"};
/* What may fail for some integers, so that it matters of which elements it is computed. */
static const char *const failing[] = {"Divide", "FloorMod", "Mod", "Power"};
static const char *const commuting[] = {"Add",      "BitwiseAnd", "BitwiseOr",        "BitwiseXor",
                                        "Equal",    "LogicalAnd", "LogicalOr",        "LogicalXor",
                                        "Multiply", "NotEqual",   "SquaredDifference"};
/* What gives other numbers each time, or depends on when it runs. */
static const char *const unlike[] = {"Random",         "Multinomial", "Bernoulli", "Loop",
                                     "TensorIterator", "If",          "Parameter"};

#define IS_AMONG(n, list) is_among(n, list, sizeof(list) / sizeof *(list))

static bool is_among(const node *n, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_op(n, list[i]))
            return true;
    }
    return false;
}

bool is_pointwise(const node *n)
{
    return IS_AMONG(n, pointwise) && !attr_is(n, "auto_broadcast", "none") &&
           !attr_is(n, "auto_broadcast", "pdpd");
}

static bool is_unlike(const node *n)
{
    for (size_t i = 0; i < sizeof unlike / sizeof *unlike; i++) {
        if (strncmp(n->op, unlike[i], strlen(unlike[i])) == 0)
            return true;
    }
    return n->n_bodies > 0;
}

static bool is_leaf(struct side *s, const node *n)
{
    return !find_node(s, n)->level || (is_unlike(n) && n != s->q->now && n != s->q->old);
}

/* Operation and attributes of N as words of W. */
static size_t put_op(const node *n, uint64_t *w)
{
    size_t at = 0;

    w[at++] = (uintptr_t)n->op;
    w[at++] = (uintptr_t)n->set;
    w[at++] = (uint64_t)n->version << 32 | (uint64_t)n->n_attrs;
    for (int i = 0; i < n->n_attrs; i++) {
        w[at++] = (uintptr_t)n->attrs[i].name;
        w[at++] = (uintptr_t)word_of(n->attrs[i].text, n->attrs[i].n);
    }
    return at;
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static uint64_t leaf_of(const node *n)
{
    return record_of((uint64_t[]){'n', (uintptr_t)n->name}, 2);
}

/* N as an operation on its operands as a whole, as far as it is expanded: equal numbers are equal
 * nodes. */
static uint64_t whole_of(struct side *s, const node *n)
{
    struct found *f = find_node(s, n);
    uint64_t *w;
    size_t at = 0, in;

    if (is_op(n, "Const"))
        return constant_record(n);
    if (is_leaf(s, n) || f->running)
        return leaf_of(n);
    if (f->has_whole)
        return f->whole;
    f->running = true;
    w = scratch((size_t)(2 * n->n_in + 2 * n->n_attrs + 8) * sizeof *w);
    w[at++] = 'o';
    at += put_op(n, w + at);
    in = at;
    for (int i = 0; i < n->n_in; i++) {
        const node *from = node_of(s->q, n->in[i].name);

        w[at++] = from ? whole_of(s, from) << 16 | (uint64_t)n->in[i].index : UINT64_MAX;
    }
    for (int i = 0; i < n->n_bodies; i++) /* another node with bodies is another function */
        w[at++] = (uintptr_t)n->bodies[i];
    f->running = false;
    if (IS_AMONG(n, commuting))
        qsort(w + in, at - in, sizeof *w, compare_words);
    f->has_whole = true;
    return f->whole = record_of(w, at);
}

static tags *tags_of(struct side *s, const node *n, int k);

static tags *leaf_tags(struct side *s, uint64_t record, const node *n, int k)
{
    const value *v = &n->out[k];
    tags *t = new_tags(v->type, v->shape);

    if (!t || (s->elements += t->n) > MOST_ELEMENTS) {
        s->why =
            t || (v->shape && v->shape->rank >= 0 && !memchr(v->shape->dims, 0xff, sizeof(int64_t)))
                ? "it is too large"
                : "sizes are open";
        return NULL;
    }
    s->q->unstated |= !n->stated;
    record = record_of((uint64_t[]){'k', record, (uint64_t)k}, 3);
    for (size_t i = 0; i < t->n; i++)
        t->at[i] = leaf_tag(record, i);
    return t;
}

/* Integer arithmetic on two known numbers. */
static bool computed(const node *n, const tag *in, word type, tag *out)
{
    int64_t a, b = 0, x;

    if (!number_of(in[0], &a) || (n->n_in == 2 && !number_of(in[1], &b)))
        return false;
    if (is_op(n, "Convert") &&
        (strcmp(type, "i64") == 0 || (strcmp(type, "i32") == 0 && a == (int32_t)a)))
        x = a;
    else if (strcmp(type, "i64") != 0 || a != (int32_t)a || b != (int32_t)b)
        return false;
    else if (is_op(n, "Add"))
        x = a + b;
    else if (is_op(n, "Subtract"))
        x = a - b;
    else if (is_op(n, "Multiply"))
        x = a * b;
    else
        return false;
    *out = number_tag(x, type);
    return true;
}

static tags *pointwise_tags(struct side *s, const node *n, tags *const *in)
{
    const attr *as = attr_of(n, "destination_type");
    word type = as ? word_of(as->text, as->n) : in[n->n_in - 1]->type;
    uint64_t *w = scratch((size_t)(2 * n->n_in + 2 * n->n_attrs + 8) * sizeof *w);
    size_t head = put_op(n, w + 1) + 1;
    tag operands[8];
    shape to;
    tags *t;

    s->why = "its operands do not fit";
    if (n->n_in > 8 || !broadcast_of(in, n->n_in, &to) || !(t = new_tags(type, &to)))
        return NULL;
    w[0] = 'p';
    for (size_t i = 0; i < t->n; i++) {
        for (int k = 0; k < n->n_in; k++)
            operands[k] = in[k]->at[broadcast_at(&in[k]->shape, &to, i)];
        if (computed(n, operands, type, &t->at[i]))
            continue;
        memcpy(w + head, operands, (size_t)n->n_in * sizeof *operands);
        if (IS_AMONG(n, commuting))
            qsort(w + head, (size_t)n->n_in, sizeof *w, compare_words);
        t->at[i] = TERM | record_of(w, head + (size_t)n->n_in);
    }
    return t;
}

/* Any other operation: a function of all elements of its operands. */
static tags *opaque_tags(struct side *s, const node *n, tags *const *in, int k)
{
    uint64_t *w = scratch((size_t)(2 * n->n_in + 2 * n->n_attrs + 8) * sizeof *w);
    size_t at = 0;

    w[at++] = 'f';
    at += put_op(n, w + at);
    for (int i = 0; i < n->n_in; i++) {
        uint64_t *all = scratch((size_t)(in[i] ? in[i]->n + MAX_RANK + 1 : 1) * sizeof *all);
        size_t m = 0;

        for (int a = 0; in[i] && a < in[i]->shape.rank; a++)
            all[m++] = (uint64_t)in[i]->shape.dims[a];
        all[m++] = 't';
        for (size_t e = 0; in[i] && e < in[i]->n; e++)
            all[m++] = in[i]->at[e];
        w[at++] = record_of(all, m);
    }
    for (int i = 0; i < n->n_bodies; i++)
        w[at++] = (uintptr_t)n->bodies[i];
    return leaf_tags(s, record_of(w, at), n, k);
}

static tags *shape_tags(const node *n, const tags *x)
{
    const attr *type = attr_of(n, "output_type");
    shape s = {1, {x->shape.rank}};
    tags *t = new_tags(type ? word_of(type->text, type->n) : word_of("i64", 3), &s);

    for (int i = 0; i < x->shape.rank; i++)
        t->at[i] = number_tag(x->shape.dims[i], t->type);
    return t;
}

static bool same_shape(const shape *a, const shape *b)
{
    return a->rank == b->rank && memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0;
}

static tags *compute(struct side *s, const node *n, int k)
{
    tags **in = scratch(((size_t)n->n_in + 1) * sizeof *in), *t;
    const char *why = NULL;

    for (int i = 0; i < n->n_in; i++) {
        const node *from = node_of(s->q, n->in[i].name);

        if (from && !(in[i] = tags_of(s, from, n->in[i].index)))
            return NULL;
        if (!from && is_pointwise(n))
            return NULL;
    }
    if (is_op(n, "ShapeOf"))
        t = shape_tags(n, in[0]);
    else if (moves(n))
        t = move(n, in, k, &why);
    else if (is_pointwise(n) && n->n_in > 0 &&
             !(IS_AMONG(n, failing) && strchr("iu", *in[0]->type)))
        t = pointwise_tags(s, n, in);
    else
        return opaque_tags(s, n, in, k);
    if (!t)
        s->why = why ? why : s->why;
    if (t && !n->stated && n->out[k].shape && same_shape(&t->shape, n->out[k].shape) &&
        n->n_out == 1)
        ((node *)n)->stated = true;
    if (t && (s->elements += t->n) > MOST_ELEMENTS)
        return NULL;
    return t;
}

static tags *tags_of(struct side *s, const node *n, int k)
{
    struct found *f = find_node(s, n);
    tags *t = NULL;

    if (k >= 0 && k < n->n_out && f->out && f->out[k])
        return f->out[k];
    if (k < 0 || k >= n->n_out || f->running || (!f->n && ++s->n_found > MOST_NODES)) {
        s->why = "too much would have to be looked at";
        return NULL;
    }
    f->n = n;
    f->running = true;
    if (is_op(n, "Const") && (t = tags_of_constant(n)))
        ;
    else if (is_leaf(s, n))
        t = leaf_tags(s, leaf_of(n), n, k);
    else
        t = compute(s, n, k);
    f->running = false;
    if (!f->out)
        f->out = scratch((size_t)n->n_out * sizeof *f->out);
    return f->out[k] = t;
}

/* ---- the question ---- */

/* Looks into N, into what goes or comes among what it reads, and LEVEL nodes further. */
static void expand(struct side *s, const node *n, int level)
{
    struct found *f = find_node(s, n);

    if (f->level > level || (!f->n && s->n_found >= MOST_NODES / 2))
        return;
    s->n_found += !f->n;
    f->n = n;
    f->level = level + 1;
    for (int i = 0; i < n->n_in; i++) {
        const node *from = node_of(s->q, n->in[i].name);

        if (from && from->mark == s->q->mark)
            expand(s, from, level);
        else if (from && level > 0)
            expand(s, from, level - 1);
    }
}

/* Is leaf RECORD an input, whose elements may be anything? Those of other values may be the same.
 */
static bool is_free(const question *q, uint64_t record)
{
    const uint64_t *leaf = records.words + records.begin[record], *w;
    const node *n = NULL;

    if (*leaf == 'k') { /* output leaf[2] of what record leaf[1] says */
        w = records.words + records.begin[leaf[1]];
        n = *w == 'n' ? node_of(q, (word)(uintptr_t)w[1]) : NULL;
    }
    return n && is_op(n, "Parameter");
}

/* Do A and B, which differ, differ for some inputs? Results of one operation do if they differ in
 * one operand, and the others are no numbers, such as 0, that could hide it. */
static bool differ_surely(const question *q, tag a, tag b)
{
    if ((a & NUMBER) && (b & NUMBER))
        return type_of(a) == type_of(b);
    if ((a & TERM) && (b & TERM) && !((a | b) & NUMBER)) {
        const uint64_t *x = records.words + records.begin[a & ~TERM],
                       *y = records.words + records.begin[b & ~TERM];
        size_t n = length_of(a & ~TERM), head = 4 + 2 * (x[3] & 0xffffffff), other = 0;

        if (n != length_of(b & ~TERM) || memcmp(x, y, head * sizeof *x) != 0)
            return false;
        for (size_t i = head; i < n; i++) {
            if (x[i] == y[i] ? (x[i] & NUMBER) != 0 : other != 0)
                return false;
            other = x[i] != y[i] ? i : other;
        }
        return other && differ_surely(q, x[other], y[other]);
    }
    if (((a | b) & NUMBER) && !((a | b) & TERM)) /* a number, and any element */
        return is_free(q, (a & NUMBER ? b : a) >> 32);
    return !((a | b) & (NUMBER | TERM)) && a >> 32 == b >> 32 && is_free(q, a >> 32);
}

static answer compare(struct side *s, char *why, size_t size)
{
    const node *old = s->q->old, *now = s->q->now;

    for (int k = 0; k < old->n_out; k++) {
        tags *a = tags_of(s, old, k), *b = a ? tags_of(s, now, k) : NULL;

        if (!a || !b) {
            snprintf(why, size, "%s", s->why ? s->why : "it is too large");
            return UNDECIDED;
        }
        if (!same_shape(&a->shape, &b->shape)) {
            snprintf(why, size, "the shapes differ");
            return s->q->unstated ? UNDECIDED : DIFFERENT;
        }
        if (a->n == 0) {
            snprintf(why, size, "it has no elements, so errors alone could differ");
            return UNDECIDED;
        }
        for (size_t i = 0; i < a->n; i++) {
            if (a->at[i] == b->at[i])
                continue;
            snprintf(why, size, "element %zu is another one", i);
            return differ_surely(s->q, a->at[i], b->at[i]) ? DIFFERENT : UNDECIDED;
        }
    }
    return SAME;
}

answer compare_equations(question *q, char *why, size_t size)
{
    static const int levels[] = {0, 1, 2, 4};
    answer found = UNDECIDED;
    struct side s;

    snprintf(why, size, "outputs are more or fewer");
    for (size_t i = 0; found == UNDECIDED && i < 2 * sizeof levels / sizeof *levels; i++) {
        bool elements = i >= sizeof levels / sizeof *levels;

        if (q->old->n_out != q->now->n_out)
            break;
        forget_records();
        s = (struct side){.q = q, .n_slots = 1024};
        s.found = scratch(s.n_slots * sizeof *s.found);
        q->unstated = false;
        expand(&s, q->old, levels[i % (sizeof levels / sizeof *levels)]);
        expand(&s, q->now, levels[i % (sizeof levels / sizeof *levels)]);
        if (!elements && whole_of(&s, q->old) == whole_of(&s, q->now))
            found = SAME;
        if (elements)
            found = compare(&s, why, size);
        if (found == DIFFERENT && i + 1 < 2 * sizeof levels / sizeof *levels)
            found = UNDECIDED; /* both may turn out to be the same */
        scratch_ends();
    }
    return found;
}
