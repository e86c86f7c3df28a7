/* The page: a JSON document, and the script that draws it. */
#include "front/view/view.h"

#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

inlay_view *inlay_view_new(const inlay_view_options *o, inlay_diags *d)
{
    inlay_view *v = inlay_take(NULL, 1, sizeof *v);

    if (!v)
        inlay_fail_memory(d);
    else if (o)
        v->options = *o;
    return v;
}

void inlay_view_free(inlay_view *v)
{
    if (!v)
        return;
    view_texts_free(&v->texts);
    view_texts_free(&v->records);
    view_texts_free(&v->op_names);
    inlay_strbuf_free(&v->ops);
    inlay_strbuf_free(&v->graphs);
    inlay_give(v);
}

static void put_text(inlay_strbuf *b, const char *key, const char *text)
{
    inlay_strbuf_printf(b, "\"%s\":", key);
    view_quote(b, text ? text : "", strlen(text ? text : ""));
}

static bool put_nodes(inlay_view *v, const view_scene *s, inlay_diags *d)
{
    inlay_strbuf_puts(&v->graphs, ",\n\"nodes\":[");
    for (size_t i = 0; i < s->n; i++) {
        size_t record;

        if (!view_record(v, &s->nodes[i], &record, d))
            return false;
        inlay_strbuf_printf(&v->graphs, "%s%zu,%d", i ? "," : "", record, s->nodes[i].group);
    }
    inlay_strbuf_puts(&v->graphs, "]");
    return true;
}

static void put_groups(inlay_view *v, const view_scene *s)
{
    inlay_strbuf_puts(&v->graphs, ",\n\"groups\":[");
    for (int i = 0; i < s->n_groups; i++) {
        const view_group *g = &s->groups[i];

        inlay_strbuf_printf(&v->graphs, "%s{\"n\":%zu,\"p\":%d,\"k\":\"%s\"", i ? "," : "", g->name,
                            g->parent, g->kind);
        if (g->owner >= 0)
            inlay_strbuf_printf(&v->graphs, ",\"o\":%d", g->owner);
        for (int k = 0; g->places && k < 2 * g->n_children; k++)
            inlay_strbuf_printf(&v->graphs, "%s%d", k ? "," : ",\"d\":[", g->places[k]);
        inlay_strbuf_puts(&v->graphs, g->places && g->n_children > 0 ? "]}" : "}");
    }
    inlay_strbuf_puts(&v->graphs, "]");
}

static void put_order_of(inlay_view *v, const view_scene *s, const inlay_graph *g)
{
    for (size_t k = 0; k < g->n_order_edges; k++)
        inlay_strbuf_printf(&v->graphs, "%d,%d,", view_number_of(s, g->order_edges[k].before),
                            view_number_of(s, g->order_edges[k].after));
}

/* The edges: pairs of numbers, ended by -1. */
static void put_order(inlay_view *v, const view_scene *s, const inlay_graph *g)
{
    inlay_strbuf_puts(&v->graphs, ",\n\"order\":[");
    put_order_of(v, s, g);
    for (size_t i = 0; i < s->n; i++) {
        for (int k = 0; k < s->nodes[i].node->n_bodies; k++) {
            if (s->nodes[i].node->bodies[k].graph)
                put_order_of(v, s, s->nodes[i].node->bodies[k].graph);
        }
    }
    inlay_strbuf_puts(&v->graphs, "-1]");
}

/* How BODY is joined to its node, number I: by which operand each Parameter is given, which output
 * each Result is, and which Results the next iteration takes as Parameters. */
static void put_ports_of(inlay_view *v, const view_scene *s, size_t i, const inlay_body *body)
{
    const inlay_graph *g = body->graph;

    for (int p = 0; g && p < body->n_in; p++)
        inlay_strbuf_printf(&v->graphs, "0,%d,%zu,%d,",
                            view_number_of(s, g->params[body->in[p].inner]), i, body->in[p].outer);
    for (int p = 0; g && p < body->n_out; p++)
        inlay_strbuf_printf(&v->graphs, "1,%d,%zu,%d,",
                            view_number_of(s, g->results[body->out[p].inner]), i,
                            body->out[p].outer);
    for (int p = 0; g && p < body->n_back; p++)
        inlay_strbuf_printf(&v->graphs, "2,%d,%zu,%d,",
                            view_number_of(s, g->results[body->back[p].from]), i,
                            view_number_of(s, g->params[body->back[p].to]));
}

/* [0: given, 1: gives, 2: goes back; node in the body, node with bodies, operand, output or node],
 * and -1 at the end. */
static void put_ports(inlay_view *v, const view_scene *s)
{
    inlay_strbuf_puts(&v->graphs, ",\n\"ports\":[");
    for (size_t i = 0; i < s->n; i++) {
        for (int k = 0; k < s->nodes[i].node->n_bodies; k++)
            put_ports_of(v, s, i, &s->nodes[i].node->bodies[k]);
    }
    inlay_strbuf_puts(&v->graphs, "-1]");
}

static void put_remarks(inlay_view *v, const view_scene *s, const inlay_view_graph *g)
{
    inlay_strbuf_puts(&v->graphs, ",\n\"remarks\":[");
    for (size_t i = 0; i < g->n_remarks; i++) {
        const inlay_view_remark *r = &g->remarks[i];

        inlay_strbuf_printf(&v->graphs, "%s[%d,%llu,%d,%zu]", i ? "," : "",
                            view_number_of(s, r->node), (unsigned long long)r->bytes, r->refused,
                            view_text(v, r->text ? r->text : ""));
    }
    inlay_strbuf_puts(&v->graphs, "]");
}

static void put_overlays(inlay_view *v, const view_scene *s, const inlay_view_graph *g)
{
    inlay_strbuf_puts(&v->graphs, ",\n\"overlays\":[");
    for (size_t i = 0; i < g->n_overlays; i++) {
        const inlay_view_overlay *o = &g->overlays[i];

        inlay_strbuf_puts(&v->graphs, i ? ",{" : "{");
        put_text(&v->graphs, "name", o->name);
        inlay_strbuf_puts(&v->graphs, ",");
        put_text(&v->graphs, "unit", o->unit);
        inlay_strbuf_puts(&v->graphs, ",\"list\":[");
        for (size_t k = 0; k < o->n; k++) /* JSON has no infinity and no NaN */
            inlay_strbuf_printf(&v->graphs, "%s%d,%.6g", k ? "," : "",
                                view_number_of(s, o->list[k].node),
                                o->list[k].number <= 1e300 ? o->list[k].number : 1e300);
        inlay_strbuf_puts(&v->graphs, "]}");
    }
    inlay_strbuf_puts(&v->graphs, "]");
}

/* [node before, node now, changes] */
static bool put_changes(inlay_view *v, const view_scene *s, const inlay_view_graph *g,
                        inlay_diags *d)
{
    view_scene before;
    bool ok;

    if (!g->changes || !g->before)
        return true;
    ok = view_scene_make(v, g->before, &before, d);
    inlay_strbuf_puts(&v->graphs, ",\n\"pairs\":[");
    for (size_t i = 0; ok && i < g->changes->n; i++) {
        const inlay_node_pair *p = &g->changes->pairs[i];

        inlay_strbuf_printf(&v->graphs, "%s%d,%d,%u", i ? "," : "",
                            p->a ? view_number_of(&before, p->a) : -1,
                            p->b ? view_number_of(s, p->b) : -1, p->changes);
    }
    inlay_strbuf_puts(&v->graphs, "]");
    view_scene_free(&before);
    return ok;
}

/* The page counts where its first graph does. */
static void count_in(inlay_view *v, inlay_budget *b)
{
    v->budget = v->graphs.budget = v->ops.budget = b;
    v->texts.bytes.budget = v->records.bytes.budget = v->op_names.bytes.budget = b;
}

bool inlay_view_add(inlay_view *v, const inlay_view_graph *g, inlay_diags *d)
{
    view_scene s = {0};
    bool ok;

    if (inlay_is_missing(v, "view", d) || inlay_is_missing(g, "graph to show", d) ||
        !inlay_graph_is_whole(g->graph, d))
        return false;
    if (v->n_graphs == 0)
        count_in(v, inlay_graph_budget(g->graph));
    ok = view_scene_make(v, g->graph, &s, d) && view_place(v, &s, d);
    inlay_strbuf_puts(&v->graphs, v->n_graphs++ ? ",\n{" : "{");
    put_text(&v->graphs, "title", g->title ? g->title : g->graph->name);
    inlay_strbuf_puts(&v->graphs, ",");
    put_text(&v->graphs, "file", g->graph->file);
    ok = ok && put_nodes(v, &s, d);
    if (ok) {
        put_groups(v, &s);
        put_order(v, &s, g->graph);
        put_ports(v, &s);
        put_remarks(v, &s, g);
        put_overlays(v, &s, g);
        view_put_plan(&v->graphs, v, &s, g);
    }
    ok = ok && put_changes(v, &s, g, d);
    inlay_strbuf_puts(&v->graphs, "}");
    view_scene_free(&s);
    if (ok && (v->graphs.failed || v->texts.failed || v->records.failed || v->op_names.failed ||
               v->ops.failed))
        ok = inlay_fail_memory(d);
    return inlay_budget_tell(v->budget, ok, d);
}

size_t inlay_view_bytes(const inlay_view *v)
{
    /* An escaped character takes up to six. */
    return !v ? 0
              : v->graphs.n + v->records.bytes.n + v->texts.bytes.n + 4 * v->texts.n + v->ops.n +
                    view_style().n + view_body().n + view_script().n;
}

static void put_texts(inlay_strbuf *b, const char *key, const view_texts *t, bool quoted)
{
    inlay_strbuf_printf(b, ",\n\"%s\":[", key);
    for (size_t i = 0; i < t->n; i++) {
        inlay_strbuf_puts(b, i ? "," : "");
        if (quoted)
            view_quote(b, t->bytes.bytes + t->list[i].at, t->list[i].n);
        else
            inlay_strbuf_add(b, t->bytes.bytes + t->list[i].at, t->list[i].n);
        inlay_strbuf_puts(b, quoted ? "" : "\n");
    }
    inlay_strbuf_puts(b, "]");
}

static void put_data(inlay_strbuf *b, const inlay_view *v)
{
    const inlay_view_options *o = &v->options;

    inlay_strbuf_puts(b, "{");
    put_text(b, "title", o->title);
    inlay_strbuf_printf(b, ",\"dot\":%s,", v->placed ? "true" : "false");
    put_text(b, "why", o->why);
    inlay_strbuf_printf(b, ",\"version\":\"%s\",\n\"ops\":[", inlay_version());
    inlay_strbuf_add(b, v->ops.bytes ? v->ops.bytes : "", v->ops.n);
    inlay_strbuf_puts(b, "]");
    put_texts(b, "texts", &v->texts, true);
    put_texts(b, "records", &v->records, false);
    inlay_strbuf_puts(b, ",\n\"graphs\":[");
    inlay_strbuf_add(b, v->graphs.bytes ? v->graphs.bytes : "", v->graphs.n);
    inlay_strbuf_puts(b, "]}");
}

static void put_part(inlay_strbuf *b, const char *before, view_part part, const char *after)
{
    inlay_strbuf_puts(b, before);
    inlay_strbuf_add(b, part.bytes, part.n);
    inlay_strbuf_puts(b, after);
}

/* The content security policy: the page may load nothing. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";

bool inlay_view_write(inlay_view *v, const inlay_sink *to, inlay_diags *d)
{
    inlay_strbuf b = {0};
    bool ok;

    if (inlay_is_missing(v, "view", d) || !inlay_sink_is_sound(to, d))
        return false;
    b.budget = v->budget;
    inlay_strbuf_puts(&b, head);
    view_escape(&b, v->options.title ? v->options.title : "Inlay");
    put_part(&b, "</title>\n<style>\n", view_style(), "</style>\n</head>\n<body>\n");
    put_part(&b, "", view_body(), "<script type=\"application/json\" id=\"data\">\n");
    put_data(&b, v);
    put_part(&b, "\n</script>\n<script>\n\"use strict\";\n", view_script(),
             "</script>\n</body>\n</html>\n");
    ok = !b.failed || inlay_fail_memory(d);
    if (ok && !to->write(to->ctx, b.bytes, b.n))
        ok = inlay_fail_resource(d, NULL, "the page could not be written");
    inlay_strbuf_free(&b);
    return inlay_budget_tell(v->budget, ok, d);
}
