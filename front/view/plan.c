/* The memory plan, as the page draws it: each step, its results, where they lie, and what it
 * copies. / */
#include "front/view/view.h"

static unsigned long long bytes(uint64_t n)
{
    return (unsigned long long)n;
}

static void put_places(inlay_strbuf *b, inlay_view *v, const inlay_plan_step *s)
{
    inlay_strbuf_puts(b, "[");
    for (int i = 0; s->out && i < s->node->n_out; i++) {
        const inlay_plan_place *p = &s->out[i];

        inlay_strbuf_printf(b, "%s[%zu,%lld,%llu]", i ? "," : "",
                            view_text(v, p->value ? p->root : ""), (long long)p->offset,
                            bytes(p->bytes));
    }
    inlay_strbuf_puts(b, "]");
}

/* [node, how it is made, fusion group, bytes copied, its outputs, depth, iterations around] */
static void put_step(inlay_strbuf *b, inlay_view *v, const view_scene *scene,
                     const inlay_plan_step *s, int depth, int64_t times)
{
    inlay_strbuf_printf(b, "\n[%d,%zu,%d,%llu,", view_number_of(scene, s->node),
                        view_text(v, s->made), s->group, bytes(s->copied_bytes));
    put_places(b, v, s);
    inlay_strbuf_printf(b, ",%d,%lld]", depth, (long long)times);
}

/* Recursive; readers limit the depth of bodies. */
static void put_steps(inlay_strbuf *b, inlay_view *v, const view_scene *scene,
                      const inlay_plan_step *list, size_t n, int depth, int64_t times)
{
    for (size_t i = 0; i < n; i++) {
        inlay_strbuf_puts(b, i || depth ? "," : "");
        put_step(b, v, scene, &list[i], depth, times);
        for (int k = 0; k < list[i].n_bodies; k++) {
            const inlay_plan_body *body = &list[i].bodies[k];

            if (body->known)
                put_steps(b, v, scene, body->steps, body->n_steps, depth + 1,
                          body->repeats ? body->iterations : 1);
        }
    }
}

void view_put_plan(inlay_strbuf *b, inlay_view *v, const view_scene *s, const inlay_view_graph *g)
{
    const inlay_program_plan *p = g->plan;

    if (!p)
        return;
    inlay_strbuf_printf(b,
                        ",\n\"plan\":{\"arena\":%llu,\"least\":%llu,\"peak\":%llu,"
                        "\"copied\":%llu,\"kept\":%llu,\"about\":%s,\"steps\":[",
                        bytes(p->arena_bytes), bytes(p->lower_bound_bytes), bytes(g->peak_bytes),
                        bytes(p->copied_bytes), bytes(p->input_copies),
                        p->about ? "true" : "false");
    put_steps(b, v, s, p->steps, p->n_steps, 0, 1);
    inlay_strbuf_puts(b, "]}");
}
