/* Resolves names of values in a document. */
#include "parser/json/read.h"

#include <string.h>

bool json_define(json_scope *s, const char *name, inlay_value *v, unsigned line)
{
    assemble_name *a = assemble_name_of(s->names, name, strlen(name));
    inlay_pos pos = {s->r->doc->file, line};

    if (!a)
        return false;
    if (!a->node) {
        assemble_define(a, v->node, v->index, line);
        return true;
    }
    if (a->line > line) /* "constants" may come after "nodes" */
        pos.line = a->line;
    return inlay_fail(s->r->a.d, &pos,
                      "the value \"%.200s\" is defined twice, the first time in line %u", name,
                      a->line > line ? line : a->line);
}

bool json_read_ref(json_scope *s, const json_at *at, json_use *use, assemble_ref *ref)
{
    const char *name = at->item->valuestring;

    if (!cJSON_IsString(at->item))
        return json_wrong(s->r->doc, at, "the name of a value");
    *use = (json_use){s, at};
    *ref = (assemble_ref){assemble_name_of(s->names, name, strlen(name)), -1, use};
    return ref->name != NULL;
}

bool json_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault)
{
    const json_use *use = ref->at;

    (void)reader, (void)fault;
    return json_fail(use->s->r->doc, use->at, "there is no value \"%.200s\"%s", ref->name->text,
                     use->s->g->owner != NULL
                         ? " in this body (a body sees nothing of the graph around it)"
                         : "");
}
