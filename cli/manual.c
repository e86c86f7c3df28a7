/* Manual pages and completions of shells, from the tables that --help prints: `inlay run
 * --help=man`, `inlay --help=bash`. `make install` asks for them. */
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

/* Prints TEXT for troff. */
static void print_roff(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

static void print_font(char font, const char *text)
{
    printf("\\f%c", font);
    print_roff(text);
    printf("\\fR");
}

static void man_option(const cli_option *o)
{
    printf(".TP\n");
    print_font('B', o->name);
    if (o->argument) {
        printf("%s", o->optional_argument ? "[=" : " ");
        print_font('I', o->argument);
        printf("%s", o->optional_argument ? "]" : "");
    }
    printf("\n");
    print_roff(o->help);
    if (o->usual) {
        printf(" (default: ");
        print_roff(o->usual);
        printf(")");
    }
    printf("\n");
}

static void man_options(const cli_option *options)
{
    for (const cli_option *o = options; o->name; o++) {
        if (!o->hidden)
            man_option(o);
    }
}

static void man_end(void)
{
    static const char *const statuses[] = {
        "success; the graphs are the same", "a difference was found, or a demand is not met",
        "the input or the command line is wrong", "memory, disk or a limit does not suffice",
        "no decision: too few trials counted"};

    printf(".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        printf(".TP\n%zu\n", i);
        print_roff(statuses[i]);
        printf("\n");
    }
    printf(".SH SEE ALSO\n.BR inlay (1),\n.BR inlay\\-rules (5),\n.BR inlay\\-json (5),\n"
           ".BR inlay\\-text (5),\n.BR libinlay (3)\n");
}

static void man_head(const char *page, const char *summary)
{
    printf(".TH \"");
    for (const char *p = page; *p; p++)
        putchar(toupper((unsigned char)*p));
    printf("\" 1 \"\" \"Inlay %s\" \"Inlay\"\n.SH NAME\n", inlay_version());
    print_roff(page);
    printf(" \\- ");
    print_roff(summary);
    printf("\n.SH SYNOPSIS\n");
}

/* The page of a subcommand. */
static void man_page(const cli_command *self, const cli_option *options)
{
    char page[64];

    snprintf(page, sizeof page, "inlay-%s", self->name);
    man_head(page, self->summary);
    printf(".B inlay ");
    print_roff(self->name);
    printf("\n[\\fIoptions\\fR] ");
    print_font('I', self->arguments);
    printf("\n.SH OPTIONS\n");
    man_options(options);
    man_options(cli_common_options());
    if (self->example) {
        printf(".SH EXAMPLE\n.nf\n");
        print_roff(self->example);
        printf("\n.fi\n");
    }
    man_end();
}

/* inlay(1) */
static void man_overview(void)
{
    man_head("inlay", "read, rewrite, compare and run tensor programs");
    printf(".B inlay\n\\fISUBCOMMAND\\fR [\\fIoptions\\fR] ...\n.br\n.B inlay\n\\fIMODEL\\fR\n"
           ".SH SUBCOMMANDS\nEach has a page of its own, such as\n.BR inlay\\-run (1).\n");
    for (const cli_command *c = cli_commands; c->name; c++) {
        printf(".TP\n");
        print_font('B', c->name);
        printf(" ");
        print_font('I', c->arguments);
        printf("\n");
        print_roff(c->summary);
        printf("\n");
    }
    printf(".TP\n\\fBhelp\\fR [\\fINAME\\fR]\nExplain a subcommand, the options that many take "
           "(options), or a condition of writing in place (N7, conditions).\n.SH OPTIONS\n");
    man_options(cli_common_options());
    man_end();
}

/* Prints the words that may follow a subcommand, for the case of a shell. */
static void words_of(const cli_option *options, const char *form)
{
    for (const cli_option *o = options; o->name; o++) {
        if (!o->hidden)
            printf(form, o->name);
    }
}

/* Prints TEXT between single quotes of fish. */
static void print_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void fish_options(const char *command, const cli_option *options)
{
    for (const cli_option *o = options; o->name; o++) {
        bool is_long = strncmp(o->name, "--", 2) == 0;

        if (o->hidden)
            continue;
        printf("complete -c inlay -n '__fish_seen_subcommand_from %s' %s %s%s -d ", command,
               is_long ? "-l" : "-o", o->name + (is_long ? 2 : 1),
               o->argument && !o->optional_argument ? " -r" : "");
        print_quoted(o->help);
        printf("\n");
    }
}

bool cli_print_manual(const cli_command *self, const cli_option *options, const char *form)
{
    if (strcmp(form, "man") == 0) {
        man_page(self, options);
    } else if (strcmp(form, "bash") == 0 || strcmp(form, "zsh") == 0) {
        printf("        %s) found=(", self->name);
        words_of(options, "%s ");
        words_of(cli_common_options(), "%s ");
        printf("--help) ;;\n");
    } else if (strcmp(form, "fish") == 0) {
        printf("complete -c inlay -n __fish_use_subcommand -a %s -d ", self->name);
        print_quoted(self->summary);
        printf("\n");
        fish_options(self->name, options);
        fish_options(self->name, cli_common_options());
    } else {
        return false;
    }
    return true;
}

static void each_command(const char *form)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        char option[32], *argv[] = {option, NULL};

        snprintf(option, sizeof option, "--help=%s", form);
        c->run(c, 1, argv);
    }
}

static void print_names(void)
{
    for (const cli_command *c = cli_commands; c->name; c++)
        printf("%s ", c->name);
    printf("help --version");
}

static void bash(void)
{
    printf("# Completion of inlay for bash.\n_inlay() {\n    local word=${COMP_WORDS[COMP_CWORD]} "
           "found=()\n    if [ \"$COMP_CWORD\" = 1 ]; then\n        found=(");
    print_names();
    printf(")\n    elif [ \"${COMP_WORDS[1]}\" = help ] || [ \"${word:0:1}\" = - ]; then\n"
           "        case ${COMP_WORDS[1]} in\n        help) found=(");
    print_names();
    printf(" options conditions) ;;\n");
    each_command("bash");
    printf("        esac\n    fi\n    COMPREPLY=($(compgen -W \"${found[*]}\" -- \"$word\"))\n}\n"
           "complete -o default -F _inlay inlay\n");
}

static void zsh(void)
{
    printf("#compdef inlay\n_inlay() {\n    local -a found\n    if (( CURRENT == 2 )); then\n"
           "        found=(");
    print_names();
    printf(")\n    else\n        case $words[2] in\n        help) found=(");
    print_names();
    printf(" options conditions) ;;\n");
    each_command("zsh");
    printf("        esac\n    fi\n    compadd -a found\n    _files\n}\n_inlay \"$@\"\n");
}

bool cli_print_completion(const char *form)
{
    if (strcmp(form, "man") == 0) {
        man_overview();
    } else if (strcmp(form, "bash") == 0) {
        bash();
    } else if (strcmp(form, "zsh") == 0) {
        zsh();
    } else if (strcmp(form, "fish") == 0) {
        printf("# Completion of inlay for fish.\n");
        each_command("fish");
        printf("complete -c inlay -n __fish_use_subcommand -a help -d 'Explain a subcommand'\n");
    } else {
        return false;
    }
    return true;
}
