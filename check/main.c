/* inlay-check MODEL OUT CERTIFICATE: is OUT what the certificate says was made of MODEL? */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct proof {
    const char *rule, *is, *hash;
} proofs[] = {
#include "proven.inc"
};

static const char help[] =
    "usage: inlay-check [options] MODEL OUT CERTIFICATE\n"
    "\n"
    "Check that OUT is what a certificate of `inlay opt MODEL -o OUT --certify CERTIFICATE` makes "
    "of MODEL, in\n"
    "the text form. Where a file is in another format, CERTIFICATE.model and CERTIFICATE.out are "
    "its text.\n"
    "\n"
    "options:\n"
    "  --json             print the verdict as JSON\n"
    "  --fold COMMAND     compute folded constants again: COMMAND FILE.inlay -o DIR writes "
    "DIR/0.npy, as\n"
    "                     'inlay run --quiet --exec reference --passes none' does\n"
    "  --with-proofs DIR  let z3, and cvc5 if it is there, answer the questions about each assumed "
    "rule in\n"
    "                     DIR/RULE.smt2, as `inlay prove --smt DIR` writes them\n"
    "  --help             print this text\n"
    "\n"
    "exit status: 0 accepted, 1 not accepted, 2 bad input, 3 out of memory\n";

struct options {
    bool json;
    const char *proofs;
};

/* One line of the verdict: a rule, a pass, or another kind of what is assumed. */
struct group {
    const assumption *first;
    const char *rule, *status; /* of BY_RULE */
    size_t n;
};

static const char *const kinds[] = {[BY_RULE] = "rule",           [BY_PASS] = "pass",
                                    [FOLDED] = "folded constant", [BY_HASH] = "hash of a constant",
                                    [BY_SHAPE] = "stated shape",  [BY_NOTE] = "storage note"};

/* Runs SOLVER on the questions about RULE. "": it is not there. */
static const char *ask(const char *solver, const char *dir, const char *rule)
{
    char line[5000], said[256];
    size_t unsat = 0, others = 0;
    FILE *f;
    int status;

    if (snprintf(line, sizeof line, "command -v %s >/dev/null || exit 77; %s '%s/%s.smt2' 2>&1",
                 solver, solver, dir, rule) >= (int)sizeof line ||
        strchr(dir, '\'') || strchr(rule, '\'') || !(f = popen(line, "r")))
        return "not proven: its questions cannot be asked";
    while (fgets(said, sizeof said, f)) {
        unsat += strcmp(said, "unsat\n") == 0;
        others += strcmp(said, "sat\n") == 0 || strcmp(said, "unknown\n") == 0 ||
                  strncmp(said, "(error", 6) == 0;
    }
    status = pclose(f);
    if (status == 77 << 8)
        return "";
    return unsat > 0 && others == 0 ? "proven" : "not proven: a question is not answered by unsat";
}

static const char *proof_of(const assumption *a, const struct options *o)
{
    static const char *const rooms[] = {"lower-dialects", "canonicalize", "simplify", "fuse",
                                        "regroup",        "approximate",  "relax"};
    bool ours = false;
    const char *z3, *cvc5;

    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
        ours =
            ours || (strcmp(a->step->pass, rooms[i]) == 0 && strcmp(a->step->set, rooms[i]) == 0);
    for (size_t i = 0; ours && i < sizeof proofs / sizeof *proofs; i++) {
        if (strcmp(proofs[i].rule, a->step->rule) != 0)
            continue;
        if (!o->proofs)
            return strcmp(proofs[i].is, "unknown") == 0  ? "tested only"
                   : strcmp(proofs[i].is, "proven") == 0 ? "proven by z3"
                                                         : proofs[i].is;
        z3 = ask("z3", o->proofs, a->step->rule);
        cvc5 = strcmp(z3, "proven") == 0 ? ask("cvc5", o->proofs, a->step->rule) : "";
        return strcmp(z3, "proven") != 0 ? z3
               : *cvc5                   ? "proven here by z3 and cvc5"
                                         : "proven here by z3";
    }
    return ours ? "tested only" : "of a user";
}

static struct group *group_all(const verdict *v, const struct options *o, size_t *n)
{
    struct group *list = NULL;
    size_t i;

    *n = 0;
    for (const assumption *a = v->assumed; a; a = a->next) {
        word name = a->kind == BY_RULE ? a->step->rule : a->kind == BY_PASS ? a->step->pass : NULL;

        for (i = 0; i < *n && (list[i].first->kind != a->kind || list[i].rule != name); i++)
            ;
        if (i == *n) {
            list = realloc(list, ++*n * sizeof *list);
            if (!list)
                exit(NO_RESOURCE);
            list[i] = (struct group){a, name, a->kind == BY_RULE ? proof_of(a, o) : NULL, 0};
        }
        list[i].n++;
    }
    return list;
}

/* "3 rules proven, 1 rule tested only, 12 folded constants" */
static void print_sum(const struct group *list, size_t n)
{
    const char *before = "";

    for (size_t i = 0; i < n; i++) {
        size_t count = list[i].n, first = 0;

        while (first < i && (list[first].first->kind != list[i].first->kind ||
                             (list[i].status && strcmp(list[first].status, list[i].status) != 0)))
            first++;
        if (first < i)
            continue;
        if (list[i].first->kind == BY_RULE || list[i].first->kind == BY_PASS) {
            count = 0;
            for (size_t k = i; k < n; k++)
                count += list[k].first->kind == list[i].first->kind &&
                         (!list[i].status || strcmp(list[k].status, list[i].status) == 0);
        }
        printf("%s%zu %s%s%s%s", before, count, kinds[list[i].first->kind],
               count == 1                       ? ""
               : list[i].first->kind == BY_PASS ? "es"
                                                : "s",
               list[i].status ? " " : "", list[i].status ? list[i].status : "");
        before = ", ";
    }
}

static void print_string(const char *s)
{
    putchar('"');
    for (; *s; s++) {
        if ((unsigned char)*s < 0x20)
            printf("\\u%04x", *s);
        else
            printf(*s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    }
    putchar('"');
}

static void print_field(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    if (text)
        print_string(text);
    else
        printf("null");
}

static void print_json(const verdict *v, const struct group *list, size_t n)
{
    printf("{\"accepted\": %s, \"steps\": %zu, \"equations\": %zu, \"checked\": %zu, "
           "\"folded_again\": %zu, \"notes\": %zu",
           v->refused ? "false" : "true", v->n_steps, v->n_equations, v->n_checked, v->n_folded,
           v->n_notes);
    if (v->refused) {
        printf(", \"step\": ");
        if (v->step)
            printf("%ld", v->step->serial);
        else
            printf("null");
        print_field("pass", v->step ? v->step->pass : NULL);
        print_field("rule", v->step ? v->step->rule : NULL);
        print_field("why", v->why);
    }
    printf(", \"assumed\": [");
    for (size_t i = 0; i < n; i++) {
        printf("%s\n  {\"kind\": \"%s\"", i ? "," : "", kinds[list[i].first->kind]);
        print_field("name", list[i].rule);
        print_field("status", list[i].status);
        printf(", \"at\": [");
        for (const assumption *a = v->assumed, *first = a; a; a = a->next) {
            word name = a->kind == BY_RULE   ? a->step->rule
                        : a->kind == BY_PASS ? a->step->pass
                                             : NULL;

            if (a->kind != list[i].first->kind || name != list[i].rule)
                continue;
            printf("%s\n    {\"step\": %ld", a == list[i].first ? "" : ",",
                   a->step ? a->step->serial : 0);
            print_field("value", a->name);
            print_field("why", a->why);
            printf("}");
            (void)first;
        }
        printf("]}");
    }
    printf("]}\n");
}

static void print_text(const verdict *v, const struct group *list, size_t n)
{
    for (size_t i = 0; i < n && !v->refused; i++) {
        const assumption *a = list[i].first;

        printf("  %s%s%s%s%s, %zu time%s, first \"%s\"", kinds[a->kind], list[i].rule ? " " : "",
               list[i].rule ? list[i].rule : "", list[i].status ? ", " : "",
               list[i].status ? list[i].status : "", list[i].n, list[i].n == 1 ? "" : "s", a->name);
        if (a->step)
            printf(" in step %ld", a->step->serial);
        printf(": %s\n", a->why);
    }
    if (v->refused && v->step)
        printf("not accepted: step %ld (line %zu), %s%s%s: %s\n", v->step->serial, v->step->line,
               v->step->pass, v->step->rule ? " " : "", v->step->rule ? v->step->rule : "", v->why);
    else if (v->refused)
        printf("not accepted: %s\n", v->why);
    if (v->refused)
        return;
    printf("accepted%s", n ? ", assuming " : "");
    print_sum(list, n);
    printf(": %zu step%s, %zu of %zu changed value%s checked", v->n_steps,
           v->n_steps == 1 ? "" : "s", v->n_checked, v->n_equations,
           v->n_equations == 1 ? "" : "s");
    if (v->n_folded)
        printf(", %zu constant%s computed again", v->n_folded, v->n_folded == 1 ? "" : "s");
    printf(", %zu storage note%s\n", v->n_notes, v->n_notes == 1 ? "" : "s");
}

static void check(const char *const *files, verdict *v)
{
    graph *g = read_graph(files[0], true), *out = read_graph(files[1], false);
    int n, m;
    word *before = rim_of(g, &n), *after = rim_of(out, &m);

    if (n != m || memcmp(before, after, (size_t)n * sizeof *before) != 0)
        refuse(v, NULL, "OUT has other inputs or outputs than MODEL");
    else if (replay(g, read_certificate(files[2]), v) && same_graphs(g, out, v))
        check_notes(out, v);
}

int main(int argc, char **argv)
{
    struct options o = {0};
    verdict v = {0};
    const char *files[3];
    int n_files = 0;
    struct group *list;
    size_t n;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            o.json = true;
        } else if (strcmp(argv[i], "--fold") == 0 && i + 1 < argc) {
            v.fold = argv[++i];
        } else if (strcmp(argv[i], "--with-proofs") == 0 && i + 1 < argc) {
            o.proofs = argv[++i];
        } else if (strcmp(argv[i], "--help") == 0) {
            printf("%s", help);
            return ACCEPTED;
        } else if (*argv[i] != '-' && n_files < 3) {
            files[n_files++] = argv[i];
        } else {
            n_files = 4;
        }
    }
    if (n_files != 3) {
        fprintf(stderr, "%s", help);
        return INVALID;
    }
    check(files, &v);
    list = group_all(&v, &o, &n);
    if (o.json)
        print_json(&v, list, n);
    else
        print_text(&v, list, n);
    return v.refused ? REFUSED : ACCEPTED;
}
