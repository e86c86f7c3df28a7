/* Metadata trees: an element of an XML file as
 *   {"tag": "...", "text": "...", "attributes": {"name": "value", ...}, "children": [...]}
 * in which only the tag is required. */
#include "ir/shared.h"
#include "parser/json/read.h"

#include <string.h>

static bool read_attributes(json_reader *r, const json_at *at, inlay_graph *g, inlay_meta *m)
{
    if (!cJSON_IsObject(at->item))
        return json_wrong(r->doc, at, "an object");
    if (cJSON_GetArraySize(at->item) > ASSEMBLE_MAX_ATTRIBUTES)
        return json_fail(r->doc, at, "an element has at most %d attributes, this one has %d",
                         ASSEMBLE_MAX_ATTRIBUTES, cJSON_GetArraySize(at->item));
    for (const cJSON *item = at->item->child; item != NULL; item = item->next) {
        json_at here = json_member(at, item, item->string);
        if (!cJSON_IsString(item))
            return json_wrong(r->doc, &here, "a string");
        if (!inlay_meta_set(g, m, item->string, item->valuestring, r->a.d))
            return false;
    }
    return true;
}

static bool read_list(json_reader *r, const json_at *at, inlay_graph *g, int depth,
                      inlay_meta **list);

/* Reads one element. Recursive, down to INLAY_MAX_META_DEPTH. */
static inlay_meta *read_element(json_reader *r, const json_at *at, inlay_graph *g, int depth)
{
    enum { TAG, TEXT, ATTRIBUTES, CHILDREN, N };
    static json_names names = {"tag", "text", "attributes", "children", NULL};
    const cJSON *m[N];
    const char *text;
    inlay_meta *meta;

    if (!json_members(r->doc, at, names, m) ||
        (text = json_text(r->doc, at, m[TAG], "tag")) == NULL)
        return NULL;
    if (*text == '\0') {
        json_fail(r->doc, at, "the tag of a metadata element must not be empty");
        return NULL;
    }
    meta = inlay_meta_new(g, text, r->a.d);
    if (meta == NULL)
        return NULL;
    if (m[TEXT] != NULL) {
        if ((text = json_text(r->doc, at, m[TEXT], "text")) == NULL)
            return NULL;
        if ((meta->text = inlay_arena_strdup(g->arena, text)) == NULL) {
            inlay_fail_memory(r->a.d);
            return NULL;
        }
    }
    json_at attributes = json_member(at, m[ATTRIBUTES], "attributes");
    json_at children = json_member(at, m[CHILDREN], "children");
    if ((m[ATTRIBUTES] != NULL && !read_attributes(r, &attributes, g, meta)) ||
        (m[CHILDREN] != NULL && !read_list(r, &children, g, depth + 1, &meta->child)))
        return NULL;
    return meta;
}

static bool read_list(json_reader *r, const json_at *at, inlay_graph *g, int depth,
                      inlay_meta **list)
{
    int i = 0;

    if (depth > INLAY_MAX_META_DEPTH && at->item->child != NULL)
        return json_fail(r->doc, at, "metadata is nested more than %d deep", INLAY_MAX_META_DEPTH);
    if (!cJSON_IsArray(at->item))
        return json_wrong(r->doc, at, "a list of metadata elements");
    for (const cJSON *item = at->item->child; item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        inlay_meta *m = read_element(r, &here, g, depth);
        if (m == NULL)
            return false;
        *list = m;
        list = &m->next;
    }
    return true;
}

bool json_read_meta(json_reader *r, const json_at *at, inlay_graph *g, inlay_meta **list)
{
    return read_list(r, at, g, 1, list);
}
