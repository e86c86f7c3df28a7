/* What --verbose, --log and --color say, which every command takes; and the lines that tell what
 * passes did and how long each part took. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    bool verbose;
    const char *path, *color, *seconds;
    FILE *file; /* of --log, while it is open */
    bool failed;
} settings;

static const cli_option options[] = {
    {CLI_SHARED("--verbose", NULL,
                "say on standard error what is read, what each pass changes, and how long each "
                "takes (-v)"),
     .flag = &settings.verbose},
    {CLI_SHARED("-v", NULL, "the same as --verbose"), .flag = &settings.verbose, .hidden = true},
    {CLI_SHARED("--log", "FILE", "write what --verbose says, and every message, to FILE"),
     .text = &settings.path},
    {CLI_SHARED("--color", "auto|always|never",
                "colour the words of messages: on a terminal, always or never"),
     .text = &settings.color, .usual = "auto"},
    {CLI_SHARED("--max-time", "SECONDS", "stop with an error when the command takes longer"),
     .text = &settings.seconds, .usual = "no limit"},
    {0}};

const cli_option *cli_common_options(void)
{
    return options;
}

static bool settle_time(const char *text)
{
    char *rest;
    double seconds = text ? strtod(text, &rest) : 0;

    if (text && (rest == text || *rest || !(seconds > 0))) {
        fprintf(stderr, "inlay: error: option --max-time is \"%s\", it must be a number above 0\n",
                text);
        return false;
    }
    if (text)
        cli_hold_time(seconds);
    return true;
}

bool cli_settle_log(void)
{
    const char *color = settings.color;

    if (!settle_time(settings.seconds))
        return false;
    if (color && strcmp(color, "auto") != 0 && strcmp(color, "always") != 0 &&
        strcmp(color, "never") != 0) {
        fprintf(stderr,
                "inlay: error: option --color is \"%s\", it must be auto, always or never\n",
                color);
        return false;
    }
    if (!settings.path || settings.file)
        return true;
    settings.file = fopen(settings.path, "w");
    if (settings.file)
        return true;
    fprintf(stderr, "%s: error: the log cannot be written: %s\n", settings.path, strerror(errno));
    return false;
}

bool cli_has_color(FILE *f)
{
    const char *no = getenv("NO_COLOR"), *asked = settings.color ? settings.color : "auto";

    if (strcmp(asked, "auto") != 0)
        return strcmp(asked, "always") == 0;
    return isatty(fileno(f)) && !(no && *no) && !cli_dumb_terminal();
}

FILE *cli_log_file(void)
{
    return settings.file;
}

void cli_log(const char *fmt, ...)
{
    FILE *to[] = {settings.verbose ? stderr : NULL, settings.file};

    for (int i = 0; i < 2; i++) {
        va_list args;

        if (!to[i])
            continue;
        if (to[i] == stderr)
            cli_progress_clear();
        fputs("inlay: ", to[i]);
        va_start(args, fmt);
        vfprintf(to[i], fmt, args);
        va_end(args);
        fputc('\n', to[i]);
    }
}

bool cli_close_log(void)
{
    FILE *f = settings.file;
    const char *path = settings.path;
    bool bad = f && ferror(f);

    settings.file = NULL;
    settings.path = settings.color = NULL;
    settings.verbose = false;
    if (!f || (fclose(f) == 0 && !bad))
        return true;
    fprintf(stderr, "%s: error: the log could not be written\n", path);
    return false;
}
