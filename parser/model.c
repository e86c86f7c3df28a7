/* Models by path: which formats there are, how each is told by its content or its name. */
#include "parser/internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_MODEL_BYTES = INT32_MAX };

/* A model file's bytes, and where they are from. */
struct source {
    const char *bytes;
    size_t n;
    const char *path; /* "-": standard input */
    const char *name; /* for messages */
    const inlay_read_options *o;
};

/* Writes G to files that are open: the model, and its weights when there are any. */
typedef bool write_fn(const inlay_graph *g, const inlay_sink *model, const inlay_sink *weights,
                      const char *weights_name, const inlay_write_options *o, inlay_diags *d);

struct format {
    const char *endings; /* ".xml", or several with blanks between */
    const char *weights; /* ending of a second file it always writes, or NULL */
    bool (*sniff)(const char *bytes, size_t n);
    inlay_graph *(*read)(const struct source *s, inlay_diags *d);
    write_fn *write;
};

/* The first byte that is no blank, after a byte order mark. */
static char first_byte(const char *bytes, size_t n)
{
    size_t i = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (i < n && strchr(" \t\r\n", bytes[i]) && bytes[i])
        i++;
    return i < n ? bytes[i] : '\0';
}

static bool is_xml(const char *bytes, size_t n)
{
    return first_byte(bytes, n) == '<' || (n > 1 && (bytes[0] == '\xff' || bytes[0] == '\xfe')) ||
           (n > 1 && (bytes[0] == '<' || bytes[1] == '<') && (!bytes[0] || !bytes[1]));
}

/* The weights of an XML model: named, or beside it if it is there; NULL without one is no error. */
static bool find_weights(const struct source *s, inlay_buffer **weights, inlay_diags *d)
{
    const char *named = s->o ? s->o->weights : NULL;
    char *beside = NULL;

    *weights = NULL;
    if (!named) {
        if (strcmp(s->path, "-") == 0)
            return true;
        beside = file_with_ending(s->path, "bin");
        if (!beside)
            return inlay_fail_memory(d);
        if (access(beside, F_OK) != 0) {
            free(beside);
            return true;
        }
    }
    *weights = file_map(named ? named : beside, 0, d);
    free(beside);
    return *weights != NULL;
}

static inlay_graph *read_xml(const struct source *s, inlay_diags *d)
{
    inlay_buffer *weights;
    inlay_graph *g;

    if (!find_weights(s, &weights, d))
        return NULL;
    g = inlay_read_xml(s->bytes, s->n, s->name, weights, s->o, d);
    inlay_buffer_release(weights);
    return g;
}

static const struct format formats[] = {
    {".xml", "bin", is_xml, read_xml, NULL},
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };

static inlay_graph *read_bytes(const struct source *s, inlay_diags *d)
{
    inlay_pos pos = {s->name, 0};

    for (int i = 0; i < N_FORMATS; i++) {
        if (formats[i].sniff(s->bytes, s->n))
            return formats[i].read(s, d);
    }
    inlay_fail(d, &pos, s->n == 0 ? "the file is empty" : "this is no model in a known format");
    return NULL;
}

inlay_graph *inlay_read_file(const char *path, const inlay_read_options *o, inlay_diags *d)
{
    uint64_t max = o && o->max_bytes ? o->max_bytes : MAX_MODEL_BYTES;
    struct source s = {.path = path, .name = strcmp(path, "-") == 0 ? "<stdin>" : path, .o = o};
    inlay_buffer *b = file_map(path, max, d);
    inlay_graph *g;

    if (!b)
        return NULL;
    s.bytes = inlay_buffer_data(b);
    s.n = inlay_buffer_size(b);
    g = read_bytes(&s, d);
    inlay_buffer_release(b);
    return g;
}
