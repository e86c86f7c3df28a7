/* inlay-check MODEL OUT CERTIFICATE: is OUT what the certificate says was made of MODEL? */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: inlay-check [options] MODEL OUT CERTIFICATE\n"
    "\n"
    "Check that OUT is what a certificate of `inlay opt MODEL -o OUT --certify CERTIFICATE` makes "
    "of MODEL, in\n"
    "the text form. Where a file is in another format, CERTIFICATE.model and CERTIFICATE.out are "
    "its text.\n"
    "\n"
    "options:\n"
    "  --print            print the certificate as text, and check nothing\n"
    "  --json             print the verdict as JSON\n"
    "  --rules FILE       rules of a user that the certificate names\n"
    "  --fold COMMAND     compute folded constants again: COMMAND FILE.inlay -o DIR writes the\n"
    "                     results DIR/0.npy and DIR/1.npy, as\n"
    "                     'inlay run --quiet --exec reference --passes none' does\n"
    "  --with-proofs DIR  let z3, and cvc5 if it is there, answer the questions about each assumed "
    "rule in\n"
    "                     DIR/RULE.smt2, as `inlay prove --smt DIR` writes them\n"
    "  --help             print this text\n"
    "\n"
    "exit status: 0 accepted, 1 not accepted, 2 bad input, 3 out of memory\n";

static const struct {
    const char *one, *several;
} kinds[] = {[BY_RULE] = {"rule", "rules"},
             [BY_FUNCTION] = {"function of conditions", "functions of conditions"},
             [BY_PASS] = {"pass", "passes"},
             [FOLDED] = {"folded constant", "folded constants"},
             [BY_SHAPE] = {"stated shape", "stated shapes"},
             [BY_NOTE] = {"storage note", "storage notes"}};

/* What the solvers say of the rule: z3 must answer all questions by unsat; cvc5 may. */
static const char *solve(const group *g, const char *dir)
{
    static const char *const says[] = {"proven here by z3 and cvc5",
                                       "not proven: a question is not answered by unsat",
                                       "proven here by z3", "not proven: z3 is not there"};
    char line[5000];
    int n = snprintf(line, sizeof line,
                     "is=3; for solver in z3 cvc5; do command -v $solver >/dev/null || break; "
                     "case $($solver '%s/%s.smt2' 2>&1) in *unknown* | *error* | sat* | *'\nsat'*) "
                     "said=no ;; *unsat*) said=unsat ;; *) said=no ;; esac; case $solver$said in "
                     "z3no) exit 1 ;; z3*) is=2 ;; cvc5unsat) is=0 ;; esac; done; exit $is",
                     dir, g->name);

    if (strcmp(g->status, "of a user") == 0 || strcmp(g->status, "tested only") == 0)
        return g->status;
    if (strchr(dir, '\'') || strchr(g->name, '\'') || n >= (int)sizeof line)
        return says[1];
    return says[system(line) >> 8 & 3];
}

/* "3 rules proven by z3, 1 rule tested only, 12 folded constants" */
static void print_sum(const verdict *v)
{
    const char *before = ", assuming ";

    for (int i = 0; i < v->n_groups; i++) {
        const group *g = &v->groups[i];
        int sum = 0;
        bool said = false;

        for (const group *h = v->groups; h < &v->groups[v->n_groups]; h++) {
            if (h->kind != g->kind || strcmp(h->status, g->status) != 0)
                continue;
            said |= h < g;
            sum += h->name ? 1 : h->n;
        }
        if (said)
            continue;
        printf("%s%d %s%s%s", before, sum, sum == 1 ? kinds[g->kind].one : kinds[g->kind].several,
               *g->status ? " " : "", g->status);
        before = ", ";
    }
}

static void print_field(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    if (!text) {
        printf("null");
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20)
            printf("\\u%04x", *text);
        else
            printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    putchar('"');
}

static void print_json(const verdict *v)
{
    printf("{\"accepted\": %s, \"steps\": %d, \"equations\": %d, \"checked\": %d, "
           "\"folded_again\": %d, \"notes\": %d",
           v->refused ? "false" : "true", v->n_steps, v->n_equations, v->n_checked, v->n_folded,
           v->n_notes);
    if (v->refused) {
        printf(v->step ? ", \"step\": %lld" : ", \"step\": null",
               v->step ? (long long)v->step->serial : 0);
        print_field("pass", v->step ? v->step->pass : NULL);
        print_field("rule", v->step ? v->step->rule : NULL);
        print_field("why", v->why);
    }
    printf(", \"assumed\": [");
    for (int i = 0; i < v->n_groups; i++) {
        const group *g = &v->groups[i];

        printf("%s\n  {\"kind\": \"%s\"", i ? "," : "", kinds[g->kind].one);
        print_field("name", g->name);
        print_field("status", g->status);
        printf(", \"at\": [");
        for (const assumption *a = g->list; a < g->list + g->n; a++) {
            printf("%s\n    {\"step\": %lld", a > g->list ? "," : "",
                   a->step ? (long long)a->step->serial : 0);
            print_field("value", a->name);
            print_field("why", a->why);
            printf("}");
        }
        printf("]}");
    }
    printf("]}\n");
}

static void print_count(const char *before, int n, const char *of)
{
    printf("%s%d %s%s", before, n, of, n == 1 ? "" : "s");
}

static void print_text(const verdict *v)
{
    const step *s = v->step;

    if (v->refused && s)
        printf("not accepted: step %lld, %s%s%s: %s\n", (long long)s->serial, shown(s->pass),
               s->rule ? ", rule " : "", s->rule ? shown(s->rule) : "", shown(v->why));
    else if (v->refused)
        printf("not accepted: %s\n", shown(v->why));
    for (int i = 0; i < v->n_groups && !v->refused; i++) {
        const group *g = &v->groups[i];

        printf("  %s%s%s%s%s", kinds[g->kind].one, g->name ? " " : "",
               g->name ? shown(g->name) : "", *g->status ? ", " : "", g->status);
        print_count(", ", g->n, "time");
        printf(", first \"%s\"", shown(g->list->name));
        if (g->list->step)
            printf(" in step %lld", (long long)g->list->step->serial);
        printf(": %s\n", g->list->why);
    }
    if (v->refused)
        return;
    printf("accepted");
    print_sum(v);
    print_count(": ", v->n_steps, "step");
    printf(", %d of", v->n_checked);
    print_count(" ", v->n_equations, "changed value");
    printf(" checked");
    if (v->n_folded)
        print_count(", ", v->n_folded, "constant"), printf(" computed again");
    print_count(", ", v->n_notes, "storage note");
    putchar('\n');
}

/* Writes N and all that it reads. False: something is no constant, or has a hash. */
static bool write_node(FILE *f, node *n, int mark, int depth)
{
    if (n->mark == mark)
        return true;
    if (depth > 1000 || n->n_bodies > 0 || is_op(n, "Parameter") || is_op(n, "ReadValue") ||
        (is_op(n, "Const") && !n->elements))
        return false;
    n->mark = mark;
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].n && !write_node(f, n->in[i].n, mark, depth + 1))
            return false;
    }
    fprintf(f, "  %.*s\n", (int)strcspn(n->text, "\n"), n->text);
    return true;
}

answer fold_again(node *old, const node *now, const char *command, const char **why)
{
    static int mark = -(1 << 30);
    char folder[] = "/tmp/inlay-check-XXXXXX", line[5000];
    FILE *f;
    int status;
    bool written;

    *why = "its elements, or those that it is computed of, are not written";
    if (!now->elements || !mkdtemp(folder))
        return UNDECIDED;
    snprintf(line, sizeof line, "%s/folded.inlay", folder);
    f = fopen(line, "w");
    if (!f)
        return UNDECIDED;
    fprintf(f, "graph \"folded\" {\n");
    written = write_node(f, old, --mark, 0);
    fprintf(f,
            "  %%\"the constant\" = Const-1 {value = %s}\n  %%\"result 0\" = Result-1(%%\"%s\")\n"
            "  %%\"result 1\" = Result-1(%%\"the constant\")\n}\n",
            attr_of(now, "value"), old->name);
    written = fclose(f) == 0 && written;
    status = snprintf(line, sizeof line,
                      "cd %s && trap 'rm -rf %s' EXIT && %s && { %s folded.inlay -o . >&2 && test "
                      "-s 0.npy -a -s 1.npy || exit 7; } && cmp -s 0.npy 1.npy",
                      folder, folder, written ? "true" : "exit 7", command);
    status = status < (int)sizeof line ? system(line) >> 8 : 7;
    *why = status == 1 ? "computed again it is another constant" : "the command did not compute it";
    return status == 0 ? SAME : status == 1 ? DIFFERENT : UNDECIDED;
}

int main(int argc, char **argv)
{
    bool json = false, print = false;
    const char *files[4], *dir = NULL;
    verdict v = {0};
    int n_files = 0;
    graph *g, *out;
    file certificate;

    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(a, "--help") == 0) {
            printf("%s", help);
            return ACCEPTED;
        }
        if (strcmp(a, "--json") == 0)
            json = true;
        else if (strcmp(a, "--print") == 0)
            print = true;
        else if (strcmp(a, "--fold") == 0 && next)
            v.fold = argv[++i];
        else if (strcmp(a, "--with-proofs") == 0 && next)
            dir = argv[++i];
        else if (strcmp(a, "--rules") == 0 && next)
            add_rules(argv[++i]);
        else if (*a != '-' && n_files < 3)
            files[n_files++] = a;
        else
            n_files = 4;
    }
    if (n_files != 3) {
        fprintf(stderr, "%s", help);
        return INVALID;
    }
    certificate = open_certificate(files);
    if (print) {
        printf("%s", certificate.text);
        exit(ACCEPTED); /* not by return: what was read is in use until then */
    }
    g = read_graph(files[0]);
    out = read_graph(files[1]);
    if (replay(g, trees_of(&certificate), &v) && same_graphs(g, out, &v))
        check_notes(out, &v);
    for (int i = 0; i < v.n_groups && dir; i++)
        v.groups[i].status = v.groups[i].kind == BY_RULE ? solve(&v.groups[i], dir) : "";
    (json ? print_json : print_text)(&v);
    return v.refused ? REFUSED : ACCEPTED;
}
