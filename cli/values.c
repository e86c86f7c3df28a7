/* Tensors on the terminal and as files. */
#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUMMARY_ABOVE = 200, EDGE = 3, MOST_AS_JSON = 1 << 16 };

void cli_print_type(FILE *f, inlay_type type, int rank, const int64_t *dims)
{
    fprintf(f, "%s[", inlay_type_info_of(type)->name);
    for (int i = 0; i < rank; i++)
        fprintf(f, "%s%lld", i ? "," : "", (long long)dims[i]);
    fputc(']', f);
}

static void print_string(FILE *f, inlay_string s)
{
    size_t shown = s.length > 60 ? 60 : s.length;

    fputc('\'', f);
    for (size_t i = 0, n; i < shown; i += n) {
        for (n = 0; i + n < shown && !memchr("'\\", s.bytes[i + n], 3); n++)
            ;
        if (n > 0)
            cli_say(f, "%.*s", (int)n, s.bytes + i);
        else
            fprintf(f, "\\x%02x", (unsigned char)s.bytes[i + n++]);
    }
    fprintf(f, "'%s", shown < s.length ? "..." : "");
}

static void print_element(FILE *f, const inlay_tensor *t, int64_t i)
{
    switch (inlay_type_info_of(t->type)->cls) {
    case INLAY_CLASS_STRING:
        print_string(f, inlay_tensor_get_string(t, i));
        break;
    case INLAY_CLASS_BOOLEAN:
        fputs(inlay_tensor_get_i64(t, i) ? "True" : "False", f);
        break;
    case INLAY_CLASS_SIGNED:
        fprintf(f, "%lld", (long long)inlay_tensor_get_i64(t, i));
        break;
    case INLAY_CLASS_UNSIGNED:
        fprintf(f, "%llu", (unsigned long long)inlay_tensor_get_i64(t, i));
        break;
    default:
        fprintf(f, "%.*g", t->type == INLAY_F64 ? 10 : 7, inlay_tensor_get_f64(t, i));
        break;
    }
}

struct printer {
    FILE *file;
    const inlay_tensor *tensor;
    bool shorten;
    int indent;
};

/* Prints axis AXIS from element FIRST on, in row-major order. An element of this axis consists of
 * SIZE elements. Recursive, as deep as the rank. */
static void print_axis(const struct printer *p, int axis, int64_t first)
{
    const inlay_tensor *t = p->tensor;
    int64_t n, size = 1;
    bool inner = axis == t->rank - 1;

    if (axis == t->rank) {
        print_element(p->file, t, first);
        return;
    }
    for (int i = axis + 1; i < t->rank; i++)
        size *= t->dims[i];
    n = t->dims[axis];
    fputc('[', p->file);
    for (int64_t i = 0; i < n; i++) {
        if (i > 0)
            fprintf(p->file, inner ? ", " : ",\n%*s", inner ? 0 : p->indent + axis + 1, "");
        if (p->shorten && n > 2 * EDGE && i == EDGE) {
            fputs("...", p->file);
            i = n - EDGE - 1;
            continue;
        }
        print_axis(p, axis + 1, first + i * size);
    }
    fputc(']', p->file);
}

/* Prints each item with its number, type and shape. Recursive, as deep as items are. */
static void print_items(FILE *f, const inlay_tensor *t, int indent)
{
    int64_t n = inlay_tensor_count(t);

    for (int64_t i = 0; i < n; i++) {
        const inlay_tensor *item = inlay_tensor_get_item(t, i);

        if (n > 2 * EDGE && n > SUMMARY_ABOVE && i == EDGE) {
            cli_say(f, "%*s...\n", indent, "");
            i = n - EDGE - 1;
            continue;
        }
        cli_say(f, "%*s%lld: ", indent, "", (long long)i);
        if (!item) {
            fputs("none\n", f);
            continue;
        }
        cli_print_type(f, item->type, item->rank, item->dims);
        fputc('\n', f);
        cli_print_tensor(f, item, indent + 2);
    }
}

void cli_print_tensor(FILE *f, const inlay_tensor *t, int indent)
{
    struct printer p = {f, t, inlay_tensor_count(t) > SUMMARY_ABOVE, indent};

    if (t->type == INLAY_ITEM && inlay_tensor_count(t) > 0) {
        print_items(f, t, indent);
        return;
    }
    cli_say(f, "%*s", indent, "");
    if (t->type == INLAY_C64 || t->type == INLAY_C128)
        fputs("(complex values are not shown)", f);
    else if (inlay_tensor_count(t) == 0)
        fputs("[]", f);
    else
        print_axis(&p, 0, 0);
    fputc('\n', f);
}

static void json_float(FILE *f, double x, int digits)
{
    if (isfinite(x))
        fprintf(f, "%.*g", digits, x);
    else
        fputs(isnan(x) ? "\"nan\"" : x > 0 ? "\"inf\"" : "\"-inf\"", f);
}

/* What JSON has no number for is a string, as in a graph in JSON. */
static void json_element(FILE *f, const inlay_tensor *t, int64_t i)
{
    const uint64_t exact = (uint64_t)1 << 53;
    inlay_type_class cls = inlay_type_info_of(t->type)->cls;

    if (cls == INLAY_CLASS_STRING) {
        inlay_string s = inlay_tensor_get_string(t, i);
        char text[64];

        snprintf(text, sizeof text, "%.*s", s.length > 60 ? 60 : (int)s.length, s.bytes);
        cli_json_string(f, text);
    } else if (cls == INLAY_CLASS_FLOAT) {
        json_float(f, inlay_tensor_get_f64(t, i), t->type == INLAY_F64 ? 17 : 9);
    } else {
        int64_t x = inlay_tensor_get_i64(t, i);
        bool negative = cls == INLAY_CLASS_SIGNED && x < 0;
        uint64_t size = negative ? -(uint64_t)x : (uint64_t)x;
        const char *quote = size >= exact ? "\"" : "";

        if (cls == INLAY_CLASS_BOOLEAN)
            fputs(x ? "true" : "false", f);
        else
            fprintf(f, "%s%s%" PRIu64 "%s", quote, negative ? "-" : "", size, quote);
    }
}

void cli_json_tensor(FILE *f, const char *name, const inlay_tensor *t)
{
    int64_t n = inlay_tensor_count(t);

    fputs("{\"name\": ", f);
    cli_json_string(f, name);
    fprintf(f, ", \"type\": \"%s\", \"shape\": [", inlay_type_info_of(t->type)->name);
    for (int i = 0; i < t->rank; i++)
        fprintf(f, "%s%" PRId64, i > 0 ? ", " : "", t->dims[i]);
    fputs("], \"data\": ", f);
    if (n > MOST_AS_JSON || t->type == INLAY_C64 || t->type == INLAY_C128) {
        fputs("null}", f);
        return;
    }
    fputc('[', f);
    for (int64_t i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : "", f);
        json_element(f, t, i);
    }
    fputs("]}", f);
}

size_t cli_file_name(const char *name, char *file, size_t size)
{
    size_t n = 0;

    for (; *name && n + 8 < size && n < 100; name++)
        file[n++] = strchr("/\\:*?\"<>|", *name) || (unsigned char)*name < 0x20 ? '_' : *name;
    file[n] = '\0';
    return n;
}

static bool write_bytes(const inlay_tensor *t, inlay_files *fs, const char *path, inlay_diags *d)
{
    inlay_tensor *dense = inlay_tensor_copy(t);
    bool ok = dense ? inlay_files_bytes(fs, path, dense->data, inlay_tensor_bytes(t), d)
                    : inlay_fail_memory(d);

    inlay_tensor_release(dense);
    return ok;
}

/* Makes the folder DIR, and removes the files that a longer sequence of N items or more left there.
 */
static bool make_folder(const char *dir, int64_t n, inlay_diags *d)
{
    char path[4096];

    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return inlay_fail_resource(d, &(inlay_pos){dir, 0}, "the directory cannot be made: %s",
                                   strerror(errno));
    while (snprintf(path, sizeof path, "%s/%lld.npy", dir, (long long)n++) < (int)sizeof path &&
           unlink(path) == 0)
        ;
    return true;
}

/* Writes the items of T to the folder FILE of DIR. */
static bool write_items(const inlay_tensor *t, inlay_files *fs, const char *dir, const char *file,
                        inlay_diags *d)
{
    int64_t n = inlay_tensor_count(t);
    char path[4096], number[24], own[128];
    bool ok = snprintf(path, sizeof path, "%s/%s", dir, file) < (int)sizeof path ||
              inlay_fail(d, &(inlay_pos){dir, 0}, "the path is too long");

    ok = ok && make_folder(path, inlay_tensor_get_item(t, 0) ? n : 0, d);
    for (int64_t i = 0; ok && i < n; i++) {
        const inlay_tensor *item = inlay_tensor_get_item(t, i);

        snprintf(number, sizeof number, "%lld", (long long)i);
        ok = !item || cli_write_tensor(item, fs, path, number, own, sizeof own, d);
    }
    return ok;
}

bool cli_write_tensor(const inlay_tensor *t, inlay_files *fs, const char *dir, const char *name,
                      char *file, size_t size, inlay_diags *d)
{
    bool packed = inlay_type_info_of(t->type)->bits < 8;
    size_t n = cli_file_name(name, file, size);
    char path[4096];

    if (t->type == INLAY_ITEM)
        return write_items(t, fs, dir, file, d);
    snprintf(file + n, size - n, "%s", packed ? ".bin" : ".npy");
    if (snprintf(path, sizeof path, "%s/%s", dir, file) >= (int)sizeof path)
        return inlay_fail(d, &(inlay_pos){dir, 0}, "the path is too long");
    return packed ? write_bytes(t, fs, path, d) : inlay_files_npy(fs, path, t, d);
}
