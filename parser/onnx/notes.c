/* Storage notes and order edges, which are metadata of nodes. The metadata of a node that makes y
 * says
 *
 *     inlay_storage    "overwrites data"             of its first output, that of the second one is inlay_storage1
 *     inlay_storage    "overwrites data\nO3 z"       with what the note relies on: the node that makes z
 *     inlay_after      "a\nb"                        the nodes that make a and b must run before
 *
 * A newline behind the target says that the grounds are stated, even if there are none. A file's
 * notes are only claims: what names a value that is not there is dropped here with a warning, and
 * the assembler drops what is illegal. */
#include "parser/onnx/notes.h"
#include "parser/onnx/import.h"

#include <stdlib.h>
#include <string.h>

bool onnx_is_note(const char *key)
{
    size_t n = strlen(ONNX_STORAGE);

    return key &&
           (strcmp(key, ONNX_AFTER) == 0 ||
            (strncmp(key, ONNX_STORAGE, n) == 0 && key[n + strspn(key + n, "0123456789")] == '\0'));
}

bool onnx_note_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault)
{
    const onnx_reader *r = reader;

    (void)fault;
    inlay_warn_node(r->a.d, ref->at,
                    "a storage note or an order edge is dropped: nothing here is called \"%.200s\"",
                    ref->name && ref->name->text ? ref->name->text : "");
    return true;
}

/* The value called TEXT, N bytes, for a claim about NODE. False: out of memory. */
static bool refer(onnx_scope *s, const inlay_node *node, const char *text, size_t n,
                  assemble_ref *ref)
{
    const char *name = inlay_arena_strndup(s->r->a.scratch, text, n);

    *ref = (assemble_ref){name ? assemble_lasting_name(s->names, name) : NULL, -1, node};
    return ref->name || inlay_fail_memory(s->r->a.d);
}

/* Reads the lines from AT on, "O3 z", on which the note of V relies. */
static bool take_grounds(onnx_scope *s, inlay_value *v, const char *at)
{
    bool ok = assemble_grounds(s->names, v);

    while (ok && *at) {
        size_t n = strcspn(at, "\n"), word = strcspn(at, " \n");
        inlay_condition condition = inlay_condition_of_word(at, word);
        assemble_ref ref;

        if (!condition || word == n)
            inlay_warn_node(s->r->a.d, v->node, "\"%.*s\" is nothing that a storage note relies on",
                            n < 80 ? (int)n : 80, at);
        else
            ok = refer(s, v->node, at + word + 1, n - word - 1, &ref) &&
                 assemble_ground(s->names, v, condition, &ref);
        at += n + (at[n] == '\n');
    }
    return ok;
}

static bool take_storage(onnx_scope *s, inlay_value *v, const char *text)
{
    size_t n = strcspn(text, "\n");
    assemble_ref ref;

    for (int kind = INLAY_VIEW_OF; kind <= INLAY_INTO; kind++) {
        const char *word = inlay_note_text((inlay_note_kind)kind);
        size_t length = strlen(word);

        if (n <= length + 1 || strncmp(text, word, length) != 0 || text[length] != ' ')
            continue;
        return refer(s, v->node, text + length + 1, n - length - 1, &ref) &&
               assemble_note(s->names, v, (inlay_note_kind)kind, &ref) &&
               (text[n] == '\0' || take_grounds(s, v, text + n + 1));
    }
    inlay_warn_node(s->r->a.d, v->node, "\"%.*s\" is no storage note, it is dropped",
                    n < 80 ? (int)n : 80, text);
    return true;
}

static bool take_order(onnx_scope *s, const inlay_value *v, const char *name, const char *text)
{
    assemble_ref before, after;
    bool ok = refer(s, v->node, name, strlen(name), &after);

    while (ok && *text) {
        size_t n = strcspn(text, "\n");

        ok = refer(s, v->node, text, n, &before) && assemble_order(s->names, &before, &after);
        text += n + (text[n] == '\n');
    }
    return ok;
}

bool onnx_take_notes(const onnx_node *n, uint32_t first)
{
    onnx_scope *s = n->s;
    const Onnx__NodeProto *p = n->proto;
    bool ok = true;

    for (size_t i = 0; ok && i < p->n_metadata_props; i++) {
        const char *key = p->metadata_props[i]->key, *text = p->metadata_props[i]->value;
        bool order = key && strcmp(key, ONNX_AFTER) == 0;
        unsigned long k =
            onnx_is_note(key) && !order ? strtoul(key + strlen(ONNX_STORAGE), NULL, 10) : 0;
        inlay_value *v = onnx_is_note(key) && k < (size_t)n->n_out ? n->out[k] : NULL;

        if (!v || !text || v->node->id < first || v->node->graph != s->graph || !*p->output[k])
            continue; /* it is another node's value that is passed on */
        ok = order ? take_order(s, v, p->output[0], text) : take_storage(s, v, text);
    }
    return ok;
}
