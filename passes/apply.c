/* Applications, the changes of passes and rules at one place, and the events that report them. */
#include "ir/shared.h"
#include "passes/pass.h"

bool pass_tell(pass_run *r, inlay_event *e)
{
    const inlay_events *to = &r->options->events;
    bool ok;

    e->pass = r->name;
    e->graph = r->graph;
    ok = !to->receive || to->receive(to->ctx, e, r->diags);
    r->stopped |= !ok && e->kind != INLAY_EVENT_WILL_APPLY;
    return ok;
}

bool pass_begin_rule(pass_run *r, const inlay_node *at, const inlay_rule_info *rule, bool first)
{
    inlay_event e = {.kind = INLAY_EVENT_WILL_APPLY, .as.application = &r->now};

    if (rule)
        r->rule = *rule;
    r->now = (inlay_application){.serial = inlay_applications(at->graph) + 1,
                                 .rule = rule ? &r->rule : NULL,
                                 .first = first,
                                 .at = at};
    r->changing = at->graph;
    r->first_id = at->graph->next_id;
    if (pass_tell(r, &e)) {
        r->failed =
            r->failed || !inlay_provenance_begin(at, r->name, rule ? rule->name : NULL, r->diags);
        if (!r->failed)
            return true;
    }
    r->now.at = NULL;
    return false;
}

/* Removing a node only unlinks it; its fields stay as they were. */
static bool is_gone(const inlay_node *n)
{
    return !n->prev && n->graph->first != n;
}

/* The first node made since the application began; later ones follow it in the list. */
static const inlay_node *first_made(const pass_run *r)
{
    const inlay_node *made = NULL;

    for (const inlay_node *n = r->changing->last; n && n->id >= r->first_id; n = n->prev)
        made = n;
    return made;
}

bool pass_applied(pass_run *r, const inlay_node **matched, size_t n)
{
    inlay_event e = {.kind = INLAY_EVENT_APPLIED, .as.application = &r->now};
    bool ok = inlay_provenance_end(r->changing, true, r->diags);

    if (r->options->events.receive) {
        for (size_t i = 0; i < n; i++) {
            if (matched[i] && is_gone(matched[i]))
                matched[r->now.n_replaced++] = matched[i];
        }
        r->now.replaced = matched;
        r->now.made = first_made(r);
    }
    ok = ok && pass_tell(r, &e);
    r->now.at = NULL;
    return ok;
}

bool pass_gave_up(pass_run *r)
{
    const inlay_node *last = r->changing->last;

    r->now.at = NULL;
    return inlay_provenance_end(r->changing, last && last->id >= r->first_id, r->diags);
}

bool inlay_pass_begin(inlay_pass_run *r, const inlay_node *at)
{
    return r && at && pass_begin_rule(r, at, NULL, false);
}

bool inlay_pass_end(inlay_pass_run *r, bool done)
{
    const inlay_node *at = r ? r->now.at : NULL;

    if (!at)
        return false;
    if (done) {
        r->changes++;
        return pass_applied(r, &at, 1);
    }
    return pass_gave_up(r);
}
