/* Reads and writes models by path: lists the formats, and recognises each by the content of a file
 * or by its name. Beside tensors.c this is the only file of parser/ that knows all formats; it
 * calls them through parser.h. */
#include "ir/shared.h"
#include "parser/file.h"
#include "parser/file_out.h"
#include "parser/foreign.h"
#include "parser/formats.h"
#include "parser/parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_MODEL_BYTES = INT32_MAX };

/* The bytes of a model file, and where they come from. */
struct source {
    const char *bytes;
    size_t n;
    inlay_buffer *buffer; /* owns the bytes */
    const char *path;     /* "-": standard input */
    const char *name;     /* for messages */
    inlay_read_options o;
};

/* Writes G to files that are open: the model, and its weights when there are any. */
typedef bool write_fn(const inlay_graph *g, const char *weights_name, const inlay_write_options *o,
                      const inlay_sink *model, const inlay_sink *weights, inlay_diags *d);

struct format {
    const char *endings; /* ".xml", or several with blanks between */
    const char *weights; /* ending of a second file, or NULL */
    bool weights_always; /* also when nothing was written to it */
    const char *name;    /* an ending: files with it are read in this format whatever they contain;
                            or NULL */
    bool (*sniff)(const char *bytes, size_t n);
    inlay_graph *(*read)(const struct source *s, inlay_diags *d);
    write_fn *write;
};

/* Returns the first byte that is not blank, after a byte order mark if there is one. */
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

static bool fail_beside(const char *path, file_fault fault, inlay_diags *d)
{
    inlay_pos pos = {path, 0};

    if (fault == FILE_MISSING)
        return inlay_fail(d, &pos, "cannot open: %s", strerror(errno));
    if (fault == FILE_IRREGULAR)
        return inlay_fail(d, &pos, "is no regular file; --weights FILE names another");
    if (fault == FILE_OUTSIDE)
        return inlay_fail(d, &pos,
                          "is a link out of the model's folder; --follow-links allows it, and "
                          "--weights FILE names the weights");
    return false;
}

static file_memory memory_of(const inlay_read_options *o)
{
    return (file_memory){o->budget, o->never_map};
}

/* Takes the weights beside an XML model. It is no error that there are none. */
static bool weights_beside(const struct source *s, inlay_buffer **weights, inlay_diags *d)
{
    char *path = file_with_ending(s->path, "bin");
    const char *slash = path ? strrchr(path, '/') : NULL;
    file_fault fault;
    bool ok;

    if (!path)
        return inlay_fail_memory(d);
    fault = file_map_named(s->path, slash ? slash + 1 : path, s->o.follow_links, memory_of(&s->o),
                           weights, d);
    ok = fault == FILE_FINE || (fault == FILE_MISSING && (errno == ENOENT || errno == ENOTDIR)) ||
         fail_beside(path, fault, d);
    free(path);
    return ok;
}

/* Finds the weights of an XML model: the file that the options name, or the one beside the model.
 * *WEIGHTS stays NULL when there is none beside it, which is no error. */
static bool find_weights(const struct source *s, inlay_buffer **weights, inlay_diags *d)
{
    *weights = NULL;
    if (s->o.make_weights)
        return true;
    if (s->o.weights) {
        *weights = file_map(s->o.weights, 0, memory_of(&s->o), d);
        return *weights != NULL;
    }
    return strcmp(s->path, "-") == 0 || weights_beside(s, weights, d);
}

static inlay_graph *read_xml(const struct source *s, inlay_diags *d)
{
    inlay_buffer *weights;
    inlay_graph *g;

    if (!find_weights(s, &weights, d))
        return NULL;
    g = inlay_read_xml(s->name, s->bytes, s->n, weights, &s->o, d);
    inlay_buffer_release(weights);
    return g;
}

static bool write_xml(const inlay_graph *g, const char *weights_name, const inlay_write_options *o,
                      const inlay_sink *model, const inlay_sink *weights, inlay_diags *d)
{
    (void)weights_name;
    return inlay_write_xml(g, o, model, weights, d);
}

static bool is_json(const char *bytes, size_t n)
{
    return first_byte(bytes, n) == '{';
}

static inlay_graph *read_json(const struct source *s, inlay_diags *d)
{
    return inlay_read_json(s->name, s->bytes, s->n, &s->o, d);
}

/* The binary form of ONNX is a protobuf message: the field 1 (ir_version) is a small number, then
 * follow the producer, the domain, a version, the documentation, the graph or the opsets. */
static bool is_onnx(const char *bytes, size_t n)
{
    return n > 2 && bytes[0] == 8 && bytes[1] >= 2 && bytes[1] < 32 &&
           memchr("\x12\x1a\x22\x28\x32\x3a\x42", bytes[2], 7) != NULL;
}

static bool is_onnx_as_text(const char *bytes, size_t n)
{
    return onnx_is_json(bytes, n) || onnx_is_text(bytes, n);
}

static inlay_graph *read_onnx(const struct source *s, inlay_diags *d)
{
    return inlay_read_onnx(s->name, s->bytes, s->n, s->buffer, &s->o, d);
}

/* A file is read as text when nothing else fits and it has no control characters, as binary formats
 * have them. */
static bool is_text(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n && i < 512; i++) {
        if ((unsigned char)bytes[i] < 0x20 && (bytes[i] == '\0' || !strchr("\t\n\v\f\r", bytes[i])))
            return false;
    }
    return n > 0;
}

static inlay_graph *read_text(const struct source *s, inlay_diags *d)
{
    return inlay_read_text(s->name, s->bytes, s->n, &s->o, d);
}

static bool write_text(const inlay_graph *g, const char *weights_name, const inlay_write_options *o,
                       const inlay_sink *model, const inlay_sink *weights, inlay_diags *d)
{
    (void)weights, (void)weights_name, (void)o;
    return inlay_print(g, true, model, d);
}

/* A file is read in the first format whose sniff function accepts it. */
static const struct format formats[] = {
    {"", NULL, false, NULL, is_onnx_as_text, read_onnx, NULL},
    {".xml", "bin", true, NULL, is_xml, read_xml, write_xml},
    {".json", "json.bin", false, NULL, is_json, read_json, inlay_write_json},
    {".onnx", NULL, false, ".onnx", is_onnx, read_onnx, inlay_write_onnx},
    {".inlay .txt", NULL, false, NULL, is_text, read_text, write_text},
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };

static bool is_named(const struct format *f, const struct source *s)
{
    size_t n = f->name ? strlen(f->name) : 0, length = strlen(s->path);

    return n > 0 && s->n > 0 && length > n && strcasecmp(s->path + length - n, f->name) == 0;
}

static inlay_graph *read_as(const struct format *f, const struct source *s, inlay_diags *d)
{
    inlay_pos pos = {s->name, 0};

    if (!s->o.make_weights || f->read == read_xml)
        return f->read(s, d);
    inlay_fail(d, &pos, "weights are made up for OpenVINO IR only");
    return NULL;
}

static inlay_graph *read_bytes(const struct source *s, inlay_diags *d)
{
    inlay_pos pos = {s->name, 0};
    const char *foreign = foreign_by_content(s->bytes, s->n);

    for (int i = 0; !foreign && i < N_FORMATS; i++) {
        /* Nearly every file is text: one whose name says another format is more likely in that
         * format. */
        if (formats[i].sniff == is_text)
            foreign = foreign_by_name(s->path);
        if (!foreign && (formats[i].sniff(s->bytes, s->n) || is_named(&formats[i], s)))
            return read_as(&formats[i], s, d);
    }
    if (foreign && s->n > 0)
        inlay_fail(d, &pos, "this is %s", foreign);
    else
        inlay_fail(d, &pos, s->n == 0 ? "the file is empty" : "this is no model in a known format");
    return NULL;
}

static inlay_graph *read_source(struct source *s, inlay_diags *d)
{
    uint64_t max = s->o.max_bytes ? s->o.max_bytes : MAX_MODEL_BYTES;
    inlay_graph *g;

    s->buffer = file_map(s->path, max, memory_of(&s->o), d);
    if (!s->buffer)
        return NULL;
    s->bytes = inlay_buffer_data(s->buffer);
    s->n = inlay_buffer_size(s->buffer);
    g = read_bytes(s, d);
    inlay_buffer_release(s->buffer);
    return g;
}

inlay_graph *inlay_read_file(const char *path, const inlay_read_options *o, inlay_diags *d)
{
    struct source s = {.path = path, .o = o ? *o : (inlay_read_options){0}};
    inlay_budget *limit = NULL;
    inlay_graph *g;

    if (inlay_is_missing(path, "path", d))
        return NULL;
    s.name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    if (s.o.max_memory > 0) {
        limit = s.o.budget = inlay_budget_within(s.o.budget, s.o.max_memory, d);
        if (!limit)
            return NULL;
        s.o.max_memory = 0;
    }
    g = read_source(&s, d);
    inlay_budget_tell(s.o.budget, g != NULL, d);
    inlay_budget_free(limit);
    return g;
}

static bool has_ending(const char *path, const char *ending, size_t n)
{
    size_t len = strlen(path);

    return len > n && strncasecmp(path + len - n, ending, n) == 0;
}

static const struct format *format_of(const char *path)
{
    for (int i = 0; i < N_FORMATS; i++) {
        for (const char *e = formats[i].endings; *e;) {
            size_t n = strcspn(e, " ");

            if (has_ending(path, e, n))
                return &formats[i];
            e += n + (e[n] == ' ');
        }
    }
    return NULL;
}

/* A sink that knows whether it was used. */
struct watched {
    file_out *out;
    bool used;
};

static bool watched_write(void *ctx, const char *bytes, size_t n)
{
    struct watched *w = ctx;

    w->used = true;
    return file_out_write(w->out, bytes, n);
}

/* Passes on the messages of a writer: its warnings, and with ERRORS its errors, since for a file
 * that failed there is a better one. */
static void hand_on(const inlay_diags *said, bool errors, inlay_diags *d)
{
    for (size_t i = 0; i < inlay_diags_count(said); i++) {
        const inlay_diag *x = inlay_diags_at(said, i);
        inlay_pos pos = {x->file, x->line};

        if (x->severity != INLAY_ERROR)
            inlay_warn(d, &pos, "%s", x->text);
        else if (errors && x->status == INLAY_NO_RESOURCE)
            inlay_fail_resource(d, &pos, "%s", x->text); /* out of memory */
        else if (errors)
            inlay_fail(d, &pos, "%s", x->text);
    }
}

/* Writes the model and its weights. Neither file is moved to its path before both are complete. */
static bool write_both(const struct format *f, const inlay_graph *g, file_out *model,
                       file_out *weights, const inlay_write_options *o, inlay_diags *d)
{
    struct watched watched = {weights, f->weights_always || (o && o->weights)};
    inlay_sink to_model = {file_out_write, model}, to_weights = {watched_write, &watched};
    const char *slash = weights->path ? strrchr(weights->path, '/') : NULL;
    const char *name = slash ? slash + 1 : weights->path;
    inlay_diags *said = inlay_diags_new();
    file_out *const files[] = {weights, model};
    bool ok, beside, sound = !d || inlay_diags_status(d) == INLAY_OK;

    if (!said)
        return inlay_fail_memory(d);
    ok = f->write(g, name, o, &to_model, weights->path ? &to_weights : NULL, said);
    hand_on(said, !model->error && !weights->error, d);
    inlay_diags_free(said);
    if (!ok && !model->error && !weights->error)
        return false;
    if (!file_out_finish(model, d) || (weights->path && !file_out_finish(weights, d)))
        return false;
    if (sound && d && inlay_diags_status(d) != INLAY_OK)
        return false; /* a warning was lost for lack of memory */
    beside = watched.used && weights->path;
    return ok && file_out_commit(beside ? files : files + 1, beside ? 2 : 1, d);
}

/* Whether A and B are written with the same folder. */
static bool are_beside(const char *a, const char *b)
{
    const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
    size_t n = end_a ? (size_t)(end_a - a) : 0;

    return !end_a == !end_b && (!end_a || ((size_t)(end_b - b) == n && memcmp(a, b, n) == 0));
}

static bool write_weighted(const struct format *f, const inlay_graph *g, const char *path,
                           const inlay_write_options *o, inlay_diags *d)
{
    const char *named = o ? o->weights : NULL;
    char *beside = named || !f->weights ? NULL : file_with_ending(path, f->weights);
    file_out model = {.fd = -1}, weights = {.fd = -1};
    bool ok = named || !f->weights || beside || inlay_fail_memory(d);

    if (ok && named && f->write == inlay_write_onnx && !are_beside(path, named))
        ok = inlay_fail(d, &(inlay_pos){path, 0},
                        "the weights of an ONNX model stand in a file beside it, not in %s", named);
    ok = ok && file_out_open(&model, path, d);
    if (ok && named && strcmp(named, path) == 0)
        ok = inlay_fail(d, &(inlay_pos){path, 0}, "the weights would be written over the model");
    if (f->weights || named)
        ok = ok && file_out_open(&weights, named ? named : beside, d);
    ok = ok && write_both(f, g, &model, &weights, o, d);
    file_out_close(&model);
    file_out_close(&weights);
    free(beside);
    return ok;
}

bool inlay_write_file(const inlay_graph *g, const char *path, const inlay_write_options *o,
                      inlay_diags *d)
{
    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(path, "path", d))
        return false;

    const struct format *f = format_of(strcmp(path, "-") == 0 ? "-.txt" : path);
    inlay_pos pos = {path, 0};

    if (!f)
        return inlay_fail(d, &pos, "a model's name ends in .xml, .json, .onnx, .inlay or .txt");
    return write_weighted(f, g, path, o, d);
}
