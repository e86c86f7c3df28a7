/* Entry point of the OpenVINO reader. */
#include "parser/openvino/read.h"
#include "ir/shared.h"
#include "parser/file.h"
#include "parser/xml/xml.h"

#include <stdlib.h>

/* Checks that the weights are those that the model was written with, if the file records that. */
static bool check_weights(ov_reader *r)
{
    const char *named = r->a.options.weights;
    char why[80], *beside;

    if (!r->weights || r->recorded_line == 0 ||
        checksum_matches(&r->recorded, r->weights, why, sizeof why))
        return true;
    beside = named ? NULL : file_with_ending(r->a.file, "bin");
    if (!named && !beside)
        return inlay_fail_memory(r->a.d);
    ov_fail_line(r, r->recorded_line, "%.400s is not the weights file of this model: %s",
                 named ? named : beside, why);
    free(beside);
    return false;
}

static bool read_model(ov_reader *r, const char *bytes, size_t n)
{
    inlay_graph *g = r->a.graph;
    assemble_scope *scope;
    ov_net *net;

    g->place_word = "layer";
    net = ov_parse(r, bytes, n);
    if (!net || !check_weights(r))
        return false;
    g->ir_version = net->version;
    g->name = assemble_string(&r->a, net->name);
    scope = assemble_scope_new(&r->a, NULL, g);
    return g->name && scope && ov_build_graph(r, net, scope) && ov_check_variables(r) &&
           inlay_settle_variables(g, r->a.d) && assemble_notes(&r->a);
}

static bool fail_at_layer(void *reader, const void *at, const char *what)
{
    return ov_fail_layer(reader, at, 0, "%s", what);
}

inlay_graph *inlay_read_xml(const char *name, const char *bytes, size_t n, inlay_buffer *weights,
                            const inlay_read_options *o, inlay_diags *d)
{
    if (inlay_is_missing(bytes, "text", d))
        return NULL;

    static const assemble_words words = {fail_at_layer, ov_note_unresolved};
    ov_reader r = {.a.words = &words, .weights = weights};
    inlay_graph *g;
    bool ok;

    r.a.reader = &r;
    ok = assemble_begin(&r.a, name, o, d) && read_model(&r, bytes, n);
    ov_warn_ignored(&r); /* even after an error: a misspelt name may be the reason */
    g = assemble_end(&r.a, ok);
    xml_free_words(r.words);
    return g;
}
