/* `inlay ops --markdown`: the page ir/OPERATIONS.md, a table for each family. */
#include "cli/cli.h"

#include <string.h>

void cli_opsets_text(const inlay_op *op, char *buf, size_t size)
{
    if (op->first == 0)
        snprintf(buf, size, "%s", op->set);
    else if (op->last >= 9999)
        snprintf(buf, size, "%s%d..", op->set, op->first);
    else if (op->first == op->last)
        snprintf(buf, size, "%s%d", op->set, op->first);
    else
        snprintf(buf, size, "%s%d..%d", op->set, op->first, op->last);
}

/* The letter of type variable VAR. */
static char letter_of(int var)
{
    return var >= 0 && var < 5 ? "TUVWX"[var] : '?';
}

static void print_type(const inlay_operand_info *o)
{
    if (o->var < 0) {
        for (const char *c = o->constraint; *c; c++)
            printf(*c == '|' ? " or " : "%c", *c);
        return;
    }
    printf("%c", letter_of(o->var));
}

static void print_operands(const inlay_operand_info *o, int n, bool variadic)
{
    for (int i = 0; i < n; i++) {
        printf("%s`%s%s`: ", i ? ", " : "", o[i].name, variadic && i == n - 1 ? "..." : "");
        print_type(&o[i]);
        if (o[i].optional)
            printf(" (optional)");
    }
}

/* Prints the variables of the row's inputs, as in "T: num, U: int". */
static void print_variables(const inlay_op *op)
{
    unsigned seen = 0;

    for (int i = 0; i < op->n_in; i++) {
        int var = op->in[i].var;

        if (var < 0 || var > 4 || (seen >> var & 1))
            continue;
        printf("%s%c is ", seen ? ", " : "; ", letter_of(var));
        for (const char *c = op->in[i].constraint; *c; c++)
            printf(*c == '|' ? " or " : "%c", *c);
        seen |= 1u << var;
    }
}

static void print_attributes(const inlay_op *op)
{
    for (int i = 0; i < op->n_attrs; i++) {
        const inlay_attr_info *a = &op->attrs[i];

        printf("%s`%s`", i ? ", " : "", a->name);
        for (int k = 0; a->allowed && a->allowed[k]; k++)
            printf("%s%s", k ? ", " : ": ", a->allowed[k]);
        if (!a->required)
            printf(" (optional)");
    }
}

/* Prints what the passes and the planned executor know about it. */
static void print_facts(const inlay_op *op)
{
    static const struct {
        unsigned flag;
        const char *words;
    } facts[] = {
        {INLAY_SCATTER, "writes a part of it"}, {INLAY_VIEW, "may be a view of its first operand"},
        {INLAY_MOVES, "moves elements"},        {INLAY_POINTWISE, "pointwise"},
        {INLAY_COMMUTES, "commutes"},           {INLAY_SHAPE_ONLY, "reads no element"},
        {INLAY_COUNTS, "sizes depend on data"}, {INLAY_EFFECT, "has an effect"},
        {INLAY_HAS_BODY, "has bodies"},
    };
    bool any = op->overwrites >= 0;

    if (any)
        printf("may overwrite `%s`", op->in[op->overwrites].name);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (!(op->flags & facts[i].flag))
            continue;
        printf("%s%s", any ? "; " : "", facts[i].words);
        any = true;
    }
}

/* The notes on a family's operations, each once; rows refer to them by number. */
struct notes {
    inlay_op_difference list[64];
    int n;
};

static int number_of(struct notes *notes, const inlay_op_difference *d)
{
    int i = 0;

    while (i < notes->n && (strcmp(notes->list[i].where, d->where) != 0 ||
                            strcmp(notes->list[i].here, d->here) != 0))
        i++;
    if (i == notes->n && i < (int)(sizeof notes->list / sizeof notes->list[0]))
        notes->list[notes->n++] = *d;
    return i + 1;
}

static void print_differences(const inlay_op *op, struct notes *notes)
{
    for (int i = 0; i < op->n_differences; i++)
        printf("%s%d", i ? ", " : "", number_of(notes, &op->differences[i]));
}

static void print_row(const inlay_op *op, struct notes *notes)
{
    char opsets[64];

    cli_opsets_text(op, opsets, sizeof opsets);
    printf("| %s-%d (%s) | ", op->name, op->version, opsets);
    print_operands(op->in, op->n_in, op->variadic_in);
    print_variables(op);
    printf(" | ");
    print_operands(op->out, op->n_out < 0 ? 1 : op->n_out, op->n_out < 0);
    printf(" | %s | ", op->shapes ? op->shapes : "");
    print_attributes(op);
    printf(" | ");
    print_facts(op);
    printf(" | ");
    print_differences(op, notes);
    printf(" |\n");
}

/* Prints the words from TEXT up to END as prose in lines of less than 120 characters. *COLUMN: the
 * length of the current line. */
static void print_words(const char *text, const char *end, size_t *column)
{
    enum { WIDTH = 119 };

    while (*text) {
        size_t n = strcspn(text, " ");

        if (*column + 1 + n + 1 > WIDTH) {
            printf("\n  ");
            *column = 2;
        }
        printf(" %.*s", (int)n, text);
        *column += 1 + n;
        text += n + strspn(text + n, " ");
    }
    printf("%s", end);
    *column += strlen(end);
}

/* Prints the notes of a family in the order of their numbers. */
static void print_notes(const struct notes *notes)
{
    for (int i = 0; i < notes->n; i++) {
        size_t column = (size_t)printf("%s%d.", i == 0 ? "\n" : "", i + 1);

        print_words(notes->list[i].where, ":", &column);
        print_words(notes->list[i].here, "\n", &column);
    }
}

void cli_print_ops_page(void)
{
    const char *family = "";
    struct notes notes = {.n = 0};

    printf("# Operations\n\n"
           "Generated from the rows in `ir/ops/` (`make operations`); a test fails when it is "
           "stale. A family is the\n"
           "name of the files that hold its rows, its shape rules and its kernels. The column "
           "\"shapes\" "
           "says those of the\n"
           "outputs. Where the document of an operation is silent or undefined, or where ours "
           "differs from it, the last column\n"
           "has the numbers of the notes below the table, which say what comes out here, always "
           "and on every machine.\n");
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);

        if (strcmp(family, op->family) != 0) {
            family = op->family;
            print_notes(&notes);
            notes.n = 0;
            printf("\n## %s\n\n| operation | inputs | outputs | shapes | attributes | in place | "
                   "differs |\n| --- | --- | --- | --- | --- | --- | --- |\n",
                   family);
        }
        print_row(op, &notes);
    }
    print_notes(&notes);
}
