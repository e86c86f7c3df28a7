/* The elements of constants: their hash, and what another program computes. */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The types whose elements are read here, by their number in the library (ir/tensor.h), which the
 * hash begins with; the other ones have no name. */
static const struct {
    const char *name;
    int number;
    size_t size;
} types[] = {{"boolean", 1, 1}, {"f64", 2, 8},  {"f32", 3, 4}, {"i64", 13, 8},
             {"i32", 14, 4},    {"i16", 15, 2}, {"i8", 16, 1}, {"u64", 19, 8},
             {"u32", 20, 4},    {"u16", 21, 2}, {"u8", 22, 1}};

static int row_of(word type)
{
    int i = (int)(sizeof types / sizeof *types);

    while (--i >= 0 && strcmp(types[i].name, type) != 0)
        ;
    return i;
}

/* Writes the bytes of the element at *P, of the type of row ROW, and passes over it. */
static bool element_at(const char **p, int row, unsigned char *out)
{
    char *end = (char *)*p;
    double d;
    float f;
    int64_t x;

    if (strncmp(*p, "0x", 2) == 0) {
        x = (int64_t)strtoull(*p, &end, 16);
        memcpy(out, &x, types[row].size);
    } else if (row == 0) {
        *out = **p == 't' || **p == '1';
        end += strspn(*p, "truefalse01");
    } else if (row == 1) {
        d = strtod(*p, &end);
        memcpy(out, &d, 8);
    } else if (row == 2) {
        f = strtof(*p, &end);
        memcpy(out, &f, 4);
    } else {
        x = *types[row].name == 'u' ? (int64_t)strtoull(*p, &end, 10) : strtoll(*p, &end, 10);
        memcpy(out, &x, types[row].size);
    }
    if (end == *p)
        return false;
    *p = *end == ',' || *end == ']' ? end + 1 : end;
    return true;
}

/* The bytes of the COUNT elements at P; NULL: they cannot be told. */
static unsigned char *bytes_of(word type, const char *p, size_t length, size_t count)
{
    const char *end = p + length;
    int row = row_of(type);
    unsigned char *bytes = row >= 0 && count <= length ? malloc(count * types[row].size + 8) : NULL;

    p += *p == '[';
    for (size_t i = 0; bytes && i < count; i++) {
        if (p >= end || !element_at(&p, row, bytes + i * types[row].size)) {
            free(bytes);
            return NULL;
        }
    }
    return bytes;
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

bool hash_of_literal(word type, const char *p, size_t length, size_t count, uint64_t *out)
{
    unsigned char *bytes = bytes_of(type, p, length, count), *at = bytes;
    size_t n = bytes ? count * types[row_of(type)].size : 0;
    uint64_t x;

    if (!bytes)
        return false;
    *out = mix((uint64_t)types[row_of(type)].number, count);
    for (; n >= 8; at += 8, n -= 8) {
        memcpy(&x, at, 8);
        *out = mix(*out, x);
    }
    x = 0;
    memcpy(&x, at, n);
    *out = mix(*out, x ^ (uint64_t)n << 56);
    free(bytes);
    return true;
}

static void print_operand(FILE *f, operand o)
{
    fprintf(f, o.name ? "%%\"%s\"" : "none", o.name);
    if (o.name)
        fprintf(f, ":%d", o.index);
}

/* Writes N and all that it reads to F. False: something is no constant, or has a hash. */
static bool print_node(FILE *f, const graph *g, node *n, int mark, int depth)
{
    value own;
    bool hashed = false;
    size_t length;

    if (n->mark == mark)
        return true;
    if (depth > 1000 || n->n_bodies > 0 || is_op(n, "Parameter") || is_op(n, "ReadValue") ||
        (is_op(n, "Const") && (!literal_of(n, &own, &hashed, &length) || hashed)))
        return false;
    for (int i = 0; i < n->n_in; i++) {
        node *from = find(g, n->in[i].name);

        if (from && !print_node(f, g, from, mark, depth + 1))
            return false;
    }
    n->mark = mark;
    fprintf(f, "  %%\"%s\":%d = %s", n->name, n->n_out, n->op);
    if (n->version)
        fprintf(f, "-%d", n->version);
    if (n->set)
        fprintf(f, "@%s", n->set);
    for (int i = 0; i < n->n_in; i++) {
        fprintf(f, "%s", i ? ", " : " (");
        print_operand(f, n->in[i]);
    }
    fprintf(f, "%s", n->n_in ? ")" : "");
    for (int i = 0; i < n->n_attrs; i++)
        fprintf(f, "%s\"%s\" = %.*s", i ? ", " : " {", n->attrs[i].name, (int)n->attrs[i].n,
                n->attrs[i].text);
    fprintf(f, "%s\n", n->n_attrs ? "}" : "");
    return true;
}

/* Are the last N bytes of the file those at BYTES? */
static bool ends_with(const char *path, const unsigned char *bytes, size_t n)
{
    unsigned char *all = malloc(n + 1);
    FILE *f = fopen(path, "rb");
    bool same = f && all && fseek(f, -(long)n, SEEK_END) == 0 && fread(all, 1, n, f) == n &&
                memcmp(all, bytes, n) == 0;

    if (f)
        fclose(f);
    free(all);
    return same;
}

static answer run_again(const char *folder, const char *command, const unsigned char *bytes,
                        size_t n, const char **why)
{
    char line[5000], path[200];
    answer is = UNDECIDED;

    snprintf(path, sizeof path, "%s/0.npy", folder);
    if (snprintf(line, sizeof line, "%s %s/folded.inlay -o %s >&2", command, folder, folder) <
            (int)sizeof line &&
        system(line) == 0 && access(path, R_OK) == 0)
        is = ends_with(path, bytes, n) ? SAME : DIFFERENT;
    *why = is == DIFFERENT ? "computed again it is another constant"
                           : "the command did not compute it";
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line) == 0 ? is : UNDECIDED;
}

answer fold_again(const graph *g, const node *old, const node *now, const char *command,
                  const char **why)
{
    static int mark = -1;
    char folder[] = "/tmp/inlay-check-XXXXXX", path[200];
    value own;
    bool hashed;
    size_t length, count = 1;
    const char *p = literal_of(now, &own, &hashed, &length);
    unsigned char *bytes;
    answer is = UNDECIDED;
    FILE *f;

    *why = "its elements, or those that it is computed of, are not written";
    for (int i = 0; p && i < own.shape->rank; i++)
        count *= (size_t)own.shape->dims[i];
    if (!p || hashed || !(bytes = bytes_of(own.type, p, length, count)))
        return UNDECIDED;
    if (mkdtemp(folder)) {
        snprintf(path, sizeof path, "%s/folded.inlay", folder);
        f = fopen(path, "w");
        if (f) {
            bool ok;

            fprintf(f, "graph \"folded\" {\n");
            ok = print_node(f, g, (node *)old, --mark, 0);
            fprintf(f, "  %%\"a result of its own\" = Result-1(%%\"%s\")\n}\n", old->name);
            ok = fclose(f) == 0 && ok;
            if (ok)
                is = run_again(folder, command, bytes, count * types[row_of(own.type)].size, why);
        }
    }
    free(bytes);
    return is;
}
