/* `inlay help N7`: what a condition of writing in place demands, as its section of
 * passes/inplace/CONDITIONS.md says it, from which the table is made. */
#include "cli/cli.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *title; /* "N7 two-buffers" */
    const char *text;
} sections[] = {
#include "conditions.inc"
    {NULL, NULL}};

/* Whether NAME is the code of TITLE, its short name, or both. */
static bool is_named(const char *title, const char *name)
{
    size_t code = strcspn(title, " "), n = strlen(name), whole;
    const char *word = title + code + 1;

    whole = code + 1 + strcspn(word, " ");
    return (n == code && strncasecmp(title, name, n) == 0) ||
           (n == whole - code - 1 && strncasecmp(word, name, n) == 0) ||
           (n == whole && strncasecmp(title, name, n) == 0);
}

void cli_guess_conditions(inlay_guess *guess)
{
    inlay_guess_try(guess, "conditions");
    for (size_t i = 0; sections[i].title; i++) {
        static const size_t longest = 40;
        const char *word = strchr(sections[i].title, ' ') + 1;

        if (strcspn(word, " ") == strlen(word) && strlen(word) < longest)
            inlay_guess_try(guess, word);
    }
}

static void list_conditions(void)
{
    printf(
        "Conditions of writing in place. `inlay help N7` says what one of them demands, what goes "
        "wrong\nwithout it, and what to do.\n\n");
    for (size_t i = 0; sections[i].title; i++)
        printf("  %s\n", sections[i].title);
}

bool cli_help_condition(const char *name)
{
    bool found = strcmp(name, "conditions") == 0;

    if (found)
        list_conditions();
    for (size_t i = 0; !found && sections[i].title; i++) {
        found = is_named(sections[i].title, name);
        if (found)
            printf("%s\n%s", sections[i].title, sections[i].text);
    }
    return found;
}
