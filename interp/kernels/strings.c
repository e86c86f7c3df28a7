/* Operations on text. Text is UTF-8. */
#include "interp/call/kernel.h"
#include "interp/kernels/regex.h"
#include "interp/kernels/utf8.h"

#include <locale.h>
#include <string.h>
#include <wctype.h>

static bool put_string(inlay_call *c, inlay_tensor *t, int64_t i, const char *bytes, size_t n)
{
    return call_put_string(c, t, i, n > 0 ? bytes : "", n);
}

static bool same_string(inlay_string a, inlay_string b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

/* StringTensorPack and StringTensorUnpack */

bool eval_string_tensor_pack(inlay_call *c)
{
    const int64_t *begins = load_i64(c, 0), *ends = load_i64(c, 1);
    const inlay_tensor *symbols = c->in[2];
    int64_t count = inlay_tensor_count(c->in[0]), length = inlay_tensor_count(symbols);
    const char *bytes = (const char *)symbols->data + symbols->offset;

    for (int64_t i = 0; begins && ends && i < count; i++) {
        if (begins[i] < 0 || ends[i] < begins[i] || ends[i] > length)
            return inlay_call_fail(c, "string %lld is from %lld to %lld, there %s %lld byte%s",
                                   (long long)i, (long long)begins[i], (long long)ends[i],
                                   inlay_plural(length, "is", "are"), (long long)length,
                                   inlay_plural(length, "", "s"));
    }
    for (int64_t i = 0; begins && ends && i < count; i++) {
        if (!put_string(c, c->out[0], i, bytes + begins[i], (size_t)(ends[i] - begins[i])))
            return false;
    }
    return begins && ends;
}

/* BEGINS and ENDS receive the positions of each string among the bytes of all strings, N the number
 * of strings. */
static bool lay_out_strings(inlay_call *c, int64_t *begins, int64_t *ends, int64_t *n)
{
    int64_t count = inlay_tensor_count(c->in[0]);

    *n = 0;
    for (int64_t i = 0; i < count; i++) {
        size_t length = inlay_tensor_get_string(c->in[0], i).length;

        if (length > (size_t)(INT32_MAX - *n))
            return inlay_call_fail(c, "the strings have more than %d bytes", (int)INT32_MAX);
        begins[i] = *n;
        ends[i] = *n += (int64_t)length;
    }
    return true;
}

bool eval_string_tensor_unpack(inlay_call *c)
{
    int64_t count = inlay_tensor_count(c->in[0]), n;
    int64_t *begins = inlay_call_memory(c, count, sizeof *begins);
    int64_t *ends = inlay_call_memory(c, count, sizeof *ends);

    if (!begins || !ends || !lay_out_strings(c, begins, ends, &n))
        return false;
    if (!c->out[2] && !inlay_call_output(c, 2, INLAY_U8, 1, &n))
        return false;
    for (int64_t i = 0; i < count; i++) {
        inlay_string s = inlay_tensor_get_string(c->in[0], i);

        for (size_t k = 0; k < s.length; k++)
            inlay_tensor_set_i64(c->out[2], begins[i] + (int64_t)k, (unsigned char)s.bytes[k]);
    }
    return store_i64(c, 0, begins) && store_i64(c, 1, ends);
}

/* StringConcat */

static bool put_joined(inlay_call *c, int64_t at, inlay_string a, inlay_string b)
{
    char *both = a.length <= SIZE_MAX - b.length ? call_bytes(c, a.length + b.length) : NULL;

    if (!both)
        return inlay_fail_memory(c->diags);
    if (a.length > 0)
        memcpy(both, a.bytes, a.length);
    if (b.length > 0)
        memcpy(both + a.length, b.bytes, b.length);
    return put_string(c, c->out[0], at, both, a.length + b.length);
}

/* Returns the element of T at AT, a position in a space of RANK axes; STRIDES are T's strides in
 * it. */
static inlay_string string_at(const inlay_tensor *t, int rank, const int64_t *at,
                              const int64_t *strides)
{
    int64_t index = t->offset + index_dot(rank, at, strides);
    inlay_string s;

    memcpy(&s, (const char *)t->data + index * (int64_t)sizeof s, sizeof s);
    return s;
}

bool eval_string_concat(inlay_call *c)
{
    const inlay_tensor *z = c->out[0];
    int64_t a[INLAY_MAX_RANK], b[INLAY_MAX_RANK];

    strides_broadcast(c->in[0], z->rank, z->dims, a);
    strides_broadcast(c->in[1], z->rank, z->dims, b);
    for (index_iter it = index_begin(z->rank, z->dims); index_valid(&it); index_next(&it)) {
        if (!put_joined(c, it.linear, string_at(c->in[0], z->rank, it.at, a),
                        string_at(c->in[1], z->rank, it.at, b)))
            return false;
    }
    return true;
}

/* StringSplit */

/* Returns whether Unicode calls X white space. */
static bool is_space(uint32_t x)
{
    return (x >= 9 && x <= 13) || (x >= 28 && x <= 32) || x == 0x85 || x == 0xa0 || x == 0x1680 ||
           (x >= 0x2000 && x <= 0x200a) || x == 0x2028 || x == 0x2029 || x == 0x202f ||
           x == 0x205f || x == 0x3000;
}

/* Counts the bytes at the beginning of S that are white space, or, if SPACE is false, that are not.
 */
static size_t run_of(inlay_string s, bool space)
{
    size_t at = 0, length;

    for (; at < s.length; at += length) {
        if (is_space(utf8_read(s.bytes + at, s.length - at, &length)) != space)
            break;
    }
    return at;
}

static size_t find(inlay_string s, inlay_string what)
{
    for (size_t at = 0; what.length <= s.length && at <= s.length - what.length; at++) {
        if (memcmp(s.bytes + at, what.bytes, what.length) == 0)
            return at;
    }
    return s.length;
}

typedef struct splitter {
    inlay_string rest, delimiter;
    int64_t cuts; /* splits that may still be made; negative: any number */
    bool done;
} splitter;

static splitter split_begin(const inlay_call *c, inlay_string s)
{
    const char *delimiter = inlay_node_string(c->node, "delimiter");
    splitter x = {.rest = s, .cuts = inlay_node_int(c->node, "maxsplit")};

    x.delimiter = (inlay_string){delimiter, strlen(delimiter)};
    return x;
}

static inlay_string cut(splitter *x, size_t part, size_t gap)
{
    inlay_string found = {x->rest.bytes, part};

    x->rest.bytes += part + gap;
    x->rest.length -= part + gap;
    x->cuts -= x->cuts > 0;
    return found;
}

/* Finds the next part as Python's str.split does: without a delimiter, parts are separated by runs
 * of white space, and runs at the ends are ignored. */
static bool split_next(splitter *x, inlay_string *part)
{
    size_t length;

    if (x->done)
        return false;
    if (x->delimiter.length == 0 && x->rest.length > 0)
        x->rest = (inlay_string){x->rest.bytes + run_of(x->rest, true),
                                 x->rest.length - run_of(x->rest, true)};
    if (x->delimiter.length == 0 && x->rest.length == 0)
        return false;
    length = x->delimiter.length == 0 ? run_of(x->rest, false) : find(x->rest, x->delimiter);
    x->done = x->cuts == 0 || length == x->rest.length;
    if (x->done)
        *part = x->rest;
    else
        *part = cut(x, length, x->delimiter.length);
    return true;
}

/* The parts of each string are counted first, then written. */
bool eval_string_split(inlay_call *c)
{
    const inlay_tensor *x = c->in[0];
    int64_t count = inlay_tensor_count(x), dims[INLAY_MAX_RANK], most = 0;
    int64_t *n = inlay_call_memory(c, count, sizeof *n);
    inlay_string part;
    inlay_tensor *y;

    if (!n)
        return false;
    for (int64_t i = 0; i < count; i++) {
        splitter s = split_begin(c, inlay_tensor_get_string(x, i));

        while (split_next(&s, &part))
            n[i]++;
        most = n[i] > most ? n[i] : most;
    }
    memcpy(dims, x->dims, (size_t)x->rank * sizeof dims[0]);
    dims[x->rank] = most;
    y = call_sized_output(c, 0, INLAY_STRING, x->rank + 1, dims);
    if (!y)
        return false;
    for (int64_t i = 0; i < count; i++) {
        splitter s = split_begin(c, inlay_tensor_get_string(x, i));

        for (int64_t k = i * most; split_next(&s, &part); k++) {
            if (!put_string(c, y, k, part.bytes, part.length))
                return false;
        }
    }
    return store_i64(c, 1, n);
}

/* StringNormalizer */

/* Returns S in lower or upper case, in the call's memory; bytes that are not valid text stay. If
 * UPPER and LOWER are false, the result is S itself. */
static bool in_case(inlay_call *c, locale_t unicode, bool upper, inlay_string s, inlay_string *out)
{
    char *to = s.length < SIZE_MAX / 4 ? call_bytes(c, 4 * s.length) : NULL;
    size_t n = 0, length;

    if (!to)
        return inlay_fail_memory(c->diags);
    for (size_t at = 0; at < s.length; at += length) {
        uint32_t x = utf8_read(s.bytes + at, s.length - at, &length);

        if (length > 1 || (unsigned char)s.bytes[at] < 0x80)
            n += utf8_write(to + n, (uint32_t)(upper ? towupper_l((wint_t)x, unicode)
                                                     : towlower_l((wint_t)x, unicode)));
        else
            to[n++] = s.bytes[at];
    }
    *out = (inlay_string){to, n};
    return true;
}

typedef struct normalizer {
    inlay_call *c;
    locale_t unicode;
    char change; /* 'N', 'L' or 'U' */
    bool sensitive;
    inlay_string *stop; /* in lower case, unless case matters */
    int64_t n_stop;
} normalizer;

static bool as_compared(normalizer *z, inlay_string s, inlay_string *out)
{
    *out = s;
    return z->sensitive || in_case(z->c, z->unicode, false, s, out);
}

static bool read_stop_words(normalizer *z)
{
    const inlay_tensor *t = call_has(z->c, 1) ? z->c->in[1] : NULL;

    z->n_stop = t ? inlay_tensor_count(t) : 0;
    z->stop = inlay_call_memory(z->c, z->n_stop, sizeof *z->stop);
    for (int64_t i = 0; z->stop && i < z->n_stop; i++) {
        if (!as_compared(z, inlay_tensor_get_string(t, i), &z->stop[i]))
            return false;
    }
    return z->stop != NULL;
}

/* *KEPT says whether S is not a stop word; then *S becomes its normalized form. */
static bool normalize(normalizer *z, inlay_string *s, bool *kept)
{
    inlay_string compared;

    if (!as_compared(z, *s, &compared))
        return false;
    *kept = true;
    for (int64_t i = 0; i < z->n_stop; i++)
        *kept = *kept && !same_string(compared, z->stop[i]);
    return !*kept || z->change == 'N' || in_case(z->c, z->unicode, z->change == 'U', *s, s);
}

static bool normalize_all(normalizer *z)
{
    const inlay_tensor *x = z->c->in[0];
    int64_t count = inlay_tensor_count(x), n = 0, dims[2] = {1, 1};
    inlay_string *kept = inlay_call_memory(z->c, count, sizeof *kept);
    inlay_tensor *y = z->c->out[0];
    bool is_kept;

    if (!kept || !read_stop_words(z))
        return false;
    for (int64_t i = 0; i < count; i++) {
        kept[n] = inlay_tensor_get_string(x, i);
        if (!normalize(z, &kept[n], &is_kept))
            return false;
        n += is_kept;
    }
    dims[x->rank - 1] = n > 0 ? n : 1;
    if (!y && !(y = inlay_call_output(z->c, 0, INLAY_STRING, x->rank, dims)))
        return false;
    for (int64_t i = 0; i < n; i++) {
        if (!put_string(z->c, y, i, kept[i].bytes, kept[i].length))
            return false;
    }
    return n > 0 || put_string(z->c, y, 0, "", 0);
}

/* Letter case is Unicode's, whatever attribute locale of ONNX says: a machine may not have that
 * locale, and a result must not depend on it. */
bool eval_string_normalizer(inlay_call *c)
{
    normalizer z = {.c = c,
                    .change = inlay_node_string(c->node, "case_change_action")[0],
                    .sensitive = inlay_node_bool(c->node, "is_case_sensitive")};
    bool ok;

    z.unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!z.unicode)
        return inlay_call_fail(c, "the system has no locale C.UTF-8, which knows cases");
    ok = normalize_all(&z);
    freelocale(z.unicode);
    return ok;
}

/* RegexFullMatch */

bool eval_regex_full_match(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    regex *r = regex_new(c, inlay_node_string(c->node, "pattern"));
    bool *y = r ? inlay_call_memory(c, n, sizeof *y) : NULL;

    if (!y)
        return false;
    for (int64_t i = 0; i < n; i++)
        y[i] = regex_matches(r, inlay_tensor_get_string(c->in[0], i));
    return store_bool(c, 0, y);
}

/* TfIdfVectorizer */

typedef struct vectorizer {
    const int64_t *x, *pool;          /* integers, or */
    const inlay_tensor *text, *words; /* strings */
    const int64_t *counts, *indexes;
    const float *weights; /* NULL: all 1 */
    int64_t n_counts, n_pool, n_indexes, size;
    float *y;
} vectorizer;

static bool same_item(const vectorizer *v, int64_t i, int64_t k)
{
    return v->x ? v->x[i] == v->pool[k]
                : same_string(inlay_tensor_get_string(v->text, i),
                              inlay_tensor_get_string(v->words, k));
}

/* Counts the n-gram of N items from AT on, which are STEP apart, in row ROW of the output. */
static void count_gram(vectorizer *v, int64_t row, int64_t at, int64_t step, int64_t n)
{
    int64_t begin = v->counts[n - 1], end = n < v->n_counts ? v->counts[n] : v->n_pool, id = 0;

    for (int64_t k = 1; k < n; k++)
        id += (v->counts[k] - v->counts[k - 1]) / k;
    for (; begin + n <= end; begin += n, id++) {
        int64_t k = 0;

        while (k < n && same_item(v, at + k * step, begin + k))
            k++;
        if (k == n && id < v->n_indexes)
            v->y[row * v->size + v->indexes[id]] += 1;
    }
}

/* Counts the n-grams of a row. STEP - 1 items are skipped between two of an n-gram; single items
 * are counted once. */
static void count_row(vectorizer *v, const inlay_node *node, int64_t row, int64_t length)
{
    int64_t low = inlay_node_int(node, "min_gram_length"),
            high = inlay_node_int(node, "max_gram_length"),
            skips = inlay_node_int(node, "max_skip_count");

    for (int64_t step = 1; step - 1 <= skips && (step == 1 || step < length); step++) {
        for (int64_t n = low > 1 || step == 1 ? low : 2; n <= high && n <= v->n_counts; n++) {
            for (int64_t at = 0; at + (n - 1) * step < length; at++)
                count_gram(v, row, at + row * length, step, n);
        }
    }
}

/* Weighs COUNT, as MODE says, by the weight of the n-gram with number ID. */
static float weighted(const vectorizer *v, char mode, int64_t id, float count)
{
    float weight = v->weights ? v->weights[id] : 1;

    return mode == 'I' ? (count > 0 ? weight : 0) : count * weight;
}

static bool check_pool(inlay_call *c, const vectorizer *v)
{
    for (int64_t i = 0; i < v->n_counts; i++) {
        int64_t end = i + 1 < v->n_counts ? v->counts[i + 1] : v->n_pool;

        if (v->counts[i] < 0 || v->counts[i] > end || end > v->n_pool)
            return inlay_call_fail(c, "ngram_counts[%lld] is %lld, the pool has %lld items",
                                   (long long)i, (long long)v->counts[i], (long long)v->n_pool);
    }
    for (int64_t i = 0; i < v->n_indexes; i++) {
        if (v->indexes[i] < 0 || v->indexes[i] >= v->size)
            return inlay_call_fail(c, "ngram_indexes[%lld] is %lld, it must be below %lld",
                                   (long long)i, (long long)v->indexes[i], (long long)v->size);
    }
    if (v->weights && inlay_tensor_count(c->in[4]) < v->n_indexes)
        return inlay_call_fail(c, "there are fewer weights than ngram_indexes");
    return inlay_node_int(c->node, "min_gram_length") >= 1 ||
           inlay_call_fail(c, "min_gram_length must be at least 1");
}

static bool load_vectorizer(inlay_call *c, vectorizer *v)
{
    bool text = c->in[0]->type == INLAY_STRING;

    v->size = inlay_node_int(c->node, "size");
    v->n_pool = inlay_tensor_count(c->in[1]);
    v->counts = load_ints(c, 2, &v->n_counts);
    v->indexes = load_ints(c, 3, &v->n_indexes);
    v->weights = call_has(c, 4) ? load_f32(c, 4) : NULL;
    v->y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *v->y);
    v->text = text ? c->in[0] : NULL;
    v->words = text ? c->in[1] : NULL;
    v->x = text ? NULL : load_i64(c, 0);
    v->pool = text ? NULL : load_i64(c, 1);
    return v->counts && v->indexes && v->y && (v->weights || !call_has(c, 4)) &&
           (text || (v->x && v->pool)) && check_pool(c, v);
}

bool eval_tf_idf(inlay_call *c)
{
    const inlay_tensor *x = c->in[0];
    int64_t rows = x->rank == 2 ? x->dims[0] : 1, length = x->dims[x->rank - 1];
    const char *mode = inlay_node_string(c->node, "mode");
    vectorizer v = {0};

    if (!load_vectorizer(c, &v))
        return false;
    for (int64_t r = 0; r < rows; r++) {
        count_row(&v, c->node, r, length);
        for (int64_t id = 0; strcmp(mode, "TF") != 0 && id < v.n_indexes; id++) {
            float *y = &v.y[r * v.size + v.indexes[id]];

            *y = weighted(&v, mode[0], id, *y);
        }
    }
    return store_f32(c, 0, v.y);
}
