/* Arguments: each subcommand has one table of options, by which arguments are parsed and --help is
 * printed. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int cli_usage(const cli_command *self, const char *fmt, ...)
{
    va_list args;

    fprintf(stderr, "inlay %s: error: ", self->name);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fprintf(stderr, " (see `inlay %s --help`)\n", self->name);
    return INLAY_INVALID;
}

enum { LEFT = 24, WIDTH = 100 }; /* columns of an option's name, and of a line of help */

/* Prints TEXT, the right column of a help page, broken between words. */
static void print_right(const char *text)
{
    size_t column = LEFT + 3;

    for (size_t n; *text; text += n + strspn(text + n, " ")) {
        n = strcspn(text, " ");
        if (column > LEFT + 3 && column + 1 + n > WIDTH) {
            printf("\n%*s", LEFT + 3, "");
            column = LEFT + 3;
        } else if (column > LEFT + 3) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)n, text);
        column += n;
    }
    printf("\n");
}

static const char *option_text(const cli_option *o, char *buf, size_t size)
{
    const char *between = !o->argument ? "" : o->optional_argument ? "[=" : " ";

    snprintf(buf, size, "%s%s%s%s", o->name, between, o->argument ? o->argument : "",
             o->optional_argument ? "]" : "");
    return buf;
}

static void print_options(const cli_option *options, bool shared)
{
    for (const cli_option *o = options; o->name; o++) {
        char left[64];

        if (o->shared != shared || o->hidden)
            continue;
        printf("  %-*s ", LEFT, option_text(o, left, sizeof left));
        print_right(o->help);
    }
}

/* Prints only the names of the options that many commands take, each with its default. */
static void print_shared(const cli_option *options, const char *title)
{
    size_t n = 0, column = 0;

    for (const cli_option *o = options; o->name; o++) {
        char left[64], item[128];
        size_t length;

        if (!o->shared || o->hidden)
            continue;
        if (n++ == 0)
            printf("\n%s (`inlay help options` explains them):", title);
        length =
            (size_t)snprintf(item, sizeof item, "%s%s%s%s", option_text(o, left, sizeof left),
                             o->usual ? " (" : "", o->usual ? o->usual : "", o->usual ? ")" : "");
        if (n == 1 || column + length + 2 > WIDTH) {
            printf("%s\n ", n == 1 ? "" : ",");
            column = 1;
        } else {
            printf(",");
        }
        printf(" %s", item);
        column += length + 2;
    }
    if (n > 0)
        printf("\n");
}

static void print_help(const cli_command *self, const cli_option *options)
{
    printf("usage: inlay %s [options]%s%s\n\n%s\n", self->name, *self->arguments ? " " : "",
           self->arguments, self->summary);
    printf("\noptions:\n");
    print_options(options, false);
    printf("  %-*s %s\n", LEFT, "--help", "print this text");
    print_shared(options, "options that many commands take");
    print_shared(cli_common_options(), "options that every command takes");
    if (self->example)
        printf("\nexample:\n  %s\n", self->example);
}

void cli_print_shared_options(void)
{
    struct {
        cli_model_options model;
        cli_list list;
        const char *text;
        bool flag;
    } to;
    const cli_option reading[] = {CLI_READ_OPTIONS(to.model),
                                  CLI_UNKNOWN_OPTION(to.model),
                                  CLI_SHAPE_OPTION(to.list),
                                  CLI_CARRY_OPTION(to.model),
                                  {0}};
    const cli_option inputs[] = {CLI_GIVEN_OPTION(to.list, NULL),  CLI_SEED_OPTION(to.text, NULL),
                                 CLI_TRIALS_OPTION(to.text, NULL), CLI_RTOL_OPTION(to.text, NULL),
                                 CLI_ATOL_OPTION(to.text, NULL),   CLI_LAYOUT_OPTION(to.text),
                                 CLI_MEAN_OPTION(to.text),         CLI_STD_OPTION(to.text),
                                 CLI_RESIZE_OPTION(to.text),       {0}};
    const cli_option rewriting[] = {CLI_PASS_OPTIONS(to.model), {0}};
    const cli_option running[] = {CLI_EXEC_OPTION(to.text, NULL),    CLI_KERNELS_OPTION(to.text),
                                  CLI_PLACE_OPTIONS(to.model),       CLI_LIMIT_OPTIONS(to.model),
                                  CLI_SECONDS_OPTION(to.text, NULL), {0}};
    const cli_option results[] = {CLI_OUT_OPTION(to.text, NULL), CLI_JSON_OPTION(to.flag), {0}};
    const struct {
        const char *title;
        const cli_option *options;
    } parts[] = {{"reading a model", reading}, {"inputs, and how outputs are compared", inputs},
                 {"rewriting", rewriting},     {"running, and limits", running},
                 {"results", results},         {"of every command", cli_common_options()}};

    printf("Options that many commands take. `inlay help SUBCOMMAND` says which of them it takes, "
           "and\nwhat holds when one is not given.\n");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        printf("\n%s:\n", parts[i].title);
        print_options(parts[i].options, true);
    }
}

/* Finds the option that ARG names. benchmark_app writes -niter: a name of several letters may be
 * given with one dash as well as with two. */
static const cli_option *find_option(const cli_option *options, const char *arg, size_t len)
{
    size_t skipped = len > 2 && arg[1] != '-' ? 1 : 0;

    for (const cli_option *o = options; o->name; o++) {
        const char *name = strncmp(o->name, "--", 2) == 0 ? o->name + skipped : o->name;

        if (strlen(name) == len && strncmp(name, arg, len) == 0)
            return o;
    }
    return NULL;
}

static int unknown_option(const cli_command *self, const cli_option *options, const char *arg,
                          size_t len)
{
    inlay_guess guess = {.word = arg, .length = len};
    char text[100];

    for (const cli_option *o = options; o->name; o++) {
        if (!o->hidden)
            inlay_guess_try(&guess, o->name);
    }
    for (const cli_option *o = cli_common_options(); o->name; o++)
        inlay_guess_try(&guess, o->name);
    inlay_guess_try(&guess, "--help");
    return cli_usage(self, "unknown option %.*s%s", (int)len, arg,
                     inlay_guess_text(&guess, text, sizeof text));
}

bool cli_list_add(cli_list *list, const char *item)
{
    const char **grown = realloc(list->items, ((size_t)list->n + 1) * sizeof *grown);

    if (!grown)
        return false;
    list->items = grown;
    list->items[list->n++] = item;
    return true;
}

void cli_list_free(cli_list *list)
{
    free(list->items);
    *list = (cli_list){NULL, 0};
}

/* Stores the value of option O, which ends at ARGV[*I]. */
static int take(const cli_command *self, const cli_option *o, const char *attached, int argc,
                char **argv, int *i)
{
    const char *value = attached;

    if (!o->argument) {
        if (attached)
            return cli_usage(self, "option %s takes no value", o->name);
        *o->flag = true;
        return -1;
    }
    if (!value && o->optional_argument)
        value = "";
    else if (!value && ++*i < argc)
        value = argv[*i];
    if (!value)
        return cli_usage(self, "option %s needs a value: %s", o->name, o->argument);
    if (o->flag)
        *o->flag = true;
    if (o->text)
        *o->text = value;
    if (o->list && !cli_list_add(o->list, value))
        return cli_no_memory();
    return -1;
}

int cli_parse(const cli_command *self, const cli_option *options, int argc, char **argv,
              const char **operands, int min, int max, int *n)
{
    bool only_operands = false;
    int count = 0;

    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i], *equals = strchr(arg, '=');
        bool is_long = strncmp(arg, "--", 2) == 0;
        size_t len = is_long && equals ? (size_t)(equals - arg) : strlen(arg);
        const cli_option *o;
        int status;

        if (only_operands || arg[0] != '-' || arg[1] == '\0') {
            if (count == max)
                return cli_usage(self, "unexpected argument \"%s\"", arg);
            operands[count++] = arg;
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_operands = true;
            continue;
        }
        if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            print_help(self, options);
            return 0;
        }
        if (strncmp(arg, "--help=", 7) == 0 && cli_print_manual(self, options, arg + 7))
            return 0;
        o = find_option(options, arg, len);
        o = o ? o : find_option(cli_common_options(), arg, len);
        if (!o)
            return unknown_option(self, options, arg, len);
        status = take(self, o, is_long && equals ? equals + 1 : NULL, argc, argv, &i);
        if (status >= 0)
            return status;
    }
    *n = count;
    if (count == 0 && min > 0)
        return cli_usage(self, "%s %s missing", self->arguments, min > 1 ? "are" : "is");
    if (count < min)
        return cli_usage(self, "%s are expected, there is only \"%s\"", self->arguments,
                         operands[0]);
    return cli_settle_log() ? -1 : INLAY_INVALID;
}

bool cli_number(const cli_command *self, const char *name, const char *text, int64_t min,
                int64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoll(text, &end, 10);
    if (*text && !*end && errno == 0 && *out >= min)
        return true;
    cli_usage(self, "option %s is \"%s\", it must be a whole number from %lld to 2^63-1", name,
              text, (long long)min);
    return false;
}

bool cli_count(const cli_command *self, const char *name, const char *text, int *out)
{
    enum { MOST = 1000000 };
    int64_t n;

    if (!text)
        return true;
    if (!cli_number(self, name, text, 1, &n))
        return false;
    *out = n > MOST ? MOST : (int)n;
    return true;
}

bool cli_threads(const cli_command *self, const char *text, int *out)
{
    char *end;
    long n = text ? strtol(text, &end, 10) : *out;

    if (text && (!*text || *end || n < 0 || n > INLAY_MAX_THREADS)) {
        cli_usage(self, "option --threads is \"%s\", it must be a whole number from 0 to %d", text,
                  INLAY_MAX_THREADS);
        return false;
    }
    *out = (int)n;
    return true;
}

bool cli_real(const cli_command *self, const char *name, const char *text, double *out)
{
    char *end;

    *out = strtod(text, &end);
    if (*text && !*end && *out >= 0)
        return true;
    cli_usage(self, "option %s is \"%s\", it must be a number of at least 0", name, text);
    return false;
}

bool cli_bytes(const cli_command *self, const char *name, const char *text, uint64_t *out)
{
    static const char units[] = "KMGT";
    char *end;
    const char *unit;
    int shift = 0;

    errno = 0;
    *out = strtoull(text, &end, 10);
    unit = *end ? strchr(units, *end) : NULL;
    if (unit) {
        shift = 10 * (int)(unit - units + 1);
        end++;
    }
    if (end != text && !*end && *text != '-' && errno == 0 && *out <= UINT64_MAX >> shift) {
        *out <<= shift;
        return true;
    }
    cli_usage(self, "option %s is \"%s\", it must be a number of bytes such as 512M", name, text);
    return false;
}

bool cli_exec_mode(const cli_command *self, const char *text, inlay_exec_mode *mode)
{
    if (!text)
        return true;
    *mode = INLAY_EXEC_PLANNED;
    if (strcmp(text, "planned") == 0)
        return true;
    *mode = INLAY_EXEC_REFERENCE;
    if (strcmp(text, "reference") == 0)
        return true;
    cli_usage(self, "option --exec is \"%s\", it must be planned or reference", text);
    return false;
}

bool cli_kernels(const cli_command *self, const char *text, inlay_kernels *kernels)
{
    if (!text)
        return true;
    *kernels = INLAY_KERNELS_PORTABLE;
    if (strcmp(text, "portable") == 0)
        return true;
    *kernels = INLAY_KERNELS_REFERENCE;
    if (strcmp(text, "reference") == 0)
        return true;
    *kernels = INLAY_KERNELS_ONEDNN;
    if (strcmp(text, "onednn") == 0)
        return true;
    cli_usage(self, "option --kernels is \"%s\", it must be portable, onednn or reference", text);
    return false;
}

bool cli_write_options(const cli_command *self, const cli_written *w, const char *out,
                       inlay_write_options *options)
{
    const char *end = out ? strrchr(out, '.') : NULL;
    bool is_onnx = end && strcasecmp(end, ".onnx") == 0;
    int64_t opset = 0;

    if (w->version && strcmp(w->version, "10") != 0 && strcmp(w->version, "11") != 0)
        return cli_usage(self, "option --ir-version is \"%s\", it must be 10 or 11", w->version),
               false;
    if (w->opset && !cli_number(self, "--opset", w->opset, 1, &opset))
        return false;
    if ((w->opset || w->external) && !is_onnx)
        return cli_usage(self, "option %s is for files that end in .onnx",
                         w->opset ? "--opset" : "--external"),
               false;
    *options =
        (inlay_write_options){.ir_version = w->version ? (int)strtol(w->version, NULL, 10) : 0,
                              .opset = opset > INT32_MAX ? INT32_MAX : (int)opset,
                              .weights = w->external};
    return true;
}
