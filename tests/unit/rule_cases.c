#include "rule_cases.h"
#include "unit.h"

#include "models.h"

#include <dirent.h>

enum { MAX_CASES = 8192 };

struct list {
    rule_case cases[MAX_CASES];
    size_t n;
};

static struct list of_rules, of_passes;

static void add_case(struct list *l, const char *dir, const char *name, const char *file)
{
    rule_case *c;

    if (!strstr(file, ".inlay"))
        return;
    assert_true(l->n < MAX_CASES);
    c = &l->cases[l->n];
    snprintf(c->path, sizeof c->path, "%.200s/%.63s/%.200s", dir, name, file);
    snprintf(c->rule, sizeof c->rule, "%.63s", name);
    c->yes = strncmp(file, "yes_", 4) == 0;
    l->n++;
}

static void find_cases(struct list *l, const char *dir)
{
    DIR *all = opendir(dir);

    for (struct dirent *e = all ? readdir(all) : NULL; e; e = readdir(all)) {
        char path[512];
        DIR *d;

        snprintf(path, sizeof path, "%.200s/%.63s", dir, e->d_name);
        d = e->d_name[0] == '.' ? NULL : opendir(path);
        for (struct dirent *f = d ? readdir(d) : NULL; f; f = readdir(d))
            add_case(l, dir, e->d_name, f->d_name);
        if (d)
            closedir(d);
    }
    if (all)
        closedir(all);
}

static rule_case *cases_in(struct list *l, const char *folder, size_t *n)
{
    const char *root = getenv("ROOT");
    char dir[512];

    snprintf(dir, sizeof dir, "%s/tests/%s", root ? root : ".", folder);
    if (l->n == 0)
        find_cases(l, dir);
    *n = l->n;
    return l->cases;
}

rule_case *rule_cases(size_t *n)
{
    return cases_in(&of_rules, "rules", n);
}

rule_case *pass_cases(size_t *n)
{
    return cases_in(&of_passes, "passes", n);
}

inlay_graph *rule_case_graph(const rule_case *c, char **text, inlay_diags *d)
{
    const char *end;
    inlay_graph *g;

    *text = model_load(c->path, NULL);
    end = strstr(*text, "// expect:");
    g = inlay_read_text(c->path, *text, end ? (size_t)(end - *text) : strlen(*text), NULL, d);
    if (!g)
        fail_msg("%s: %s", c->path, model_messages(d));
    return g;
}

bool rule_case_line(const char **at, const char *key, char *out, size_t size)
{
    const char *found = strstr(*at, key);
    size_t len;

    if (!found)
        return false;
    found += strlen(key);
    len = strcspn(found, "\n");
    snprintf(out, size, "%.*s", (int)len, found);
    *at = found + len;
    return true;
}

void rule_case_says(const rule_case *c, const char *text, const inlay_diags *d)
{
    char wanted[512];

    while (rule_case_line(&text, "// says: ", wanted, sizeof wanted)) {
        if (!strstr(model_messages(d), wanted))
            fail_msg("%s: wanted \"%s\" in what was said:\n%s", c->path, wanted, model_messages(d));
    }
}

/* *OUT receives what is known of the built-in rule called NAME. Returns the name of its set. */
static const char *find_rule(const char *name, inlay_rule_info *out)
{
    for (size_t s = 0; inlay_rule_set_at(s); s++) {
        inlay_rules *rules = inlay_rules_builtin(inlay_rule_set_at(s), NULL);
        bool found = false;

        assert_non_null(rules);
        for (size_t i = 0; !found && i < inlay_rules_count(rules); i++) {
            *out = inlay_rules_at(rules, i);
            found = strcmp(out->name, name) == 0;
        }
        inlay_rules_free(rules);
        if (found)
            return inlay_rule_set_at(s);
    }
    return NULL;
}

const char *rule_set_of(const char *name)
{
    inlay_rule_info info;

    return find_rule(name, &info);
}

bool rule_is_approximate(const char *name)
{
    inlay_rule_info info;

    return find_rule(name, &info) && info.exactness == INLAY_APPROX;
}

static void *copied(inlay_arena *a, const void *from, size_t n, size_t size)
{
    void *copy = inlay_arena_array(a, n + 1, size);

    assert_non_null(copy);
    return memcpy(copy, from, n * size);
}

/* Copies LIST, which ends with NULL; the rules of the copy are those of S. */
static const rule **copied_list(inlay_rules *s, const rule **list)
{
    size_t n = 0;
    const rule **copy;

    while (list[n])
        n++;
    copy = copied(s->arena, list, n, sizeof *list);
    for (size_t i = 0; i < n; i++)
        copy[i] = s->rules[copy[i]->index];
    return copy;
}

inlay_rules *rule_set_copy(const char *set)
{
    const inlay_rules *built_in = inlay_rules_builtin(set, NULL);
    inlay_arena *a = inlay_arena_new();
    inlay_rules *s;

    assert_non_null(built_in);
    assert_non_null(a);
    s = copied(a, built_in, 1, sizeof *s);
    s->arena = a;
    s->rules = copied(a, s->rules, s->n, sizeof *s->rules);
    for (size_t i = 0; i < s->n; i++) {
        rule *r = s->rules[i] = copied(a, s->rules[i], 1, sizeof *r);

        r->clauses = copied(a, r->clauses, (size_t)r->n_clauses, sizeof *r->clauses);
    }
    s->of_any = copied_list(s, s->of_any);
    s->by_row = copied(a, s->by_row, s->n_rows, sizeof *s->by_row);
    for (size_t row = 0; row < s->n_rows; row++)
        s->by_row[row] = copied_list(s, s->by_row[row]);
    return s;
}

inlay_rules *rule_alone(const char *name)
{
    const char *set = rule_set_of(name);
    inlay_rules *rules = set ? rule_set_copy(set) : NULL;

    if (!rules)
        fail_msg("there is no rule %s", name);
    for (size_t row = 0; row < inlay_op_count(NULL); row++) {
        const rule **list = rules->by_row[row];
        size_t n = 0;

        for (size_t i = 0; list[i]; i++) {
            if (strcmp(list[i]->name, name) == 0)
                list[n++] = list[i];
        }
        list[n] = NULL;
    }
    return rules;
}

bool rule_first_use(const inlay_event *e, inlay_graph **before, inlay_diags *d)
{
    bool applies = e->kind == INLAY_EVENT_WILL_APPLY || e->kind == INLAY_EVENT_APPLIED;

    if (!applies || !e->as.application->rule || !e->as.application->first)
        return false;
    if (e->kind == INLAY_EVENT_APPLIED)
        return true;
    inlay_graph_free(*before);
    *before = inlay_graph_clone(e->graph, d);
    assert_non_null(*before);
    return false;
}
