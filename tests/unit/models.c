#include "tests/unit/models.h"
#include "ir/shared.h"
#include "unit.h"

const char *model_messages(const inlay_diags *d)
{
    static const char *const words[] = {"note", "warning", "error"};
    static char text[4000];
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < inlay_diags_count(d) && n < sizeof text; i++) {
        const inlay_diag *diag = inlay_diags_at(d, i);

        if (diag->line)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%u: ", i ? "\n" : "", diag->line);
        else
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", i ? "\n" : "");
        if (n < sizeof text)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s: %s", words[diag->severity],
                                  diag->text);
    }
    return text;
}

inlay_graph *model_read_xml(const char *xml, const void *weights, size_t size,
                            const inlay_read_options *o, const char **said)
{
    inlay_diags *d = inlay_diags_new();
    inlay_buffer *b = weights ? inlay_buffer_new(size) : NULL;
    inlay_graph *g;

    assert_non_null(d);
    if (b && size)
        memcpy(inlay_buffer_data(b), weights, size);
    g = inlay_read_xml("model.xml", xml, strlen(xml), b, o, d);
    inlay_buffer_release(b);
    if (said)
        *said = model_messages(d);
    else if (!g)
        fail_msg("not read: %s", model_messages(d));
    inlay_diags_free(d);
    return g;
}

bool model_write_xml(const inlay_graph *g, int ir_version, inlay_strbuf *xml, inlay_strbuf *weights,
                     const char **said)
{
    inlay_write_options o = {.ir_version = ir_version};
    inlay_sink to_xml = {inlay_strbuf_sink, xml}, to_weights = {inlay_strbuf_sink, weights};
    inlay_diags *d = inlay_diags_new();
    bool ok;

    *xml = *weights = (inlay_strbuf){0};
    ok = inlay_write_xml(g, &o, &to_xml, &to_weights, d);
    if (said)
        *said = model_messages(d);
    else if (!ok)
        fail_msg("not written: %s", model_messages(d));
    inlay_diags_free(d);
    return ok;
}

void check_not_written(const inlay_graph *g, int ir_version, const char *said)
{
    inlay_strbuf xml, weights;
    const char *really;

    assert_false(model_write_xml(g, ir_version, &xml, &weights, &really));
    assert_string_equal(really, said);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
}

const char *model_shared(void)
{
    const char *shared = getenv("INLAY_SHARED");

    if (!shared || !*shared) {
        print_message("skipped: this needs the shared material (INLAY_SHARED)\n");
        skip();
    }
    return shared;
}

char *model_load(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    inlay_strbuf b = {0};
    char chunk[4096];
    size_t n;

    if (!f)
        fail_msg("cannot open %s", path);
    inlay_strbuf_puts(&b, "");
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        inlay_strbuf_add(&b, chunk, n);
    fclose(f);
    assert_false(b.failed);
    if (size)
        *size = b.n;
    return b.bytes;
}
