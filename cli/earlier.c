/* The folder of -o: removes what an earlier run wrote and this one does not, because tools that
 * compare two folders take each file for an output. outputs.json lists what was written, an entry a
 * line:
 *
 *     {"index": 0, "name": "y", "type": "f32", "shape": [2], "file": "0.npy"},
 *     {"kept": true, "name": "a/b", "type": "u1", "shape": [9], "file": "a_b.bin"}
 *
 * Only files that are listed in this form are touched; another outputs.json lists none. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 24, NAME = 256 };

char *cli_read_index(const char *dir)
{
    char path[4096], *text = NULL;
    FILE *f;
    size_t n;

    if (snprintf(path, sizeof path, "%s/outputs.json", dir) >= (int)sizeof path ||
        !(f = fopen(path, "rb")))
        return NULL;
    text = malloc(MOST_BYTES);
    n = text ? fread(text, 1, MOST_BYTES, f) : 0;
    fclose(f);
    if (n == 0 || n == MOST_BYTES) { /* such a file is not by a run */
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

/* Finds the file that the entry LINE, of LENGTH bytes, names: a number, or a name that
 * cli_write_tensor makes. */
static bool file_of(const char *line, size_t length, char name[NAME])
{
    static const char key[] = "\"file\": \"";
    const char *end = line + length, *from = NULL;
    size_t n;

    if (strncmp(line, "  {\"index\": ", 12) != 0 && strncmp(line, "  {\"kept\": true, ", 17) != 0)
        return false;
    for (const char *p = line; (p = strstr(p, key)) && p < end; p += sizeof key - 1)
        from = p + sizeof key - 1;
    n = from ? strcspn(from, "\"\\/\n") : 0;
    if (n < 5 || n >= NAME || strncmp(from + n, "\"}", 2) != 0 ||
        (strncmp(from + n - 4, ".npy", 4) != 0 && strncmp(from + n - 4, ".bin", 4) != 0))
        return false;
    memcpy(name, from, n);
    name[n] = '\0';
    return true;
}

static bool lists(const char *index, const char *wanted)
{
    char name[NAME];

    for (const char *line = index; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (file_of(line, strcspn(line, "\n"), name) && strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

static void remove_file(const char *dir, const char *name)
{
    char path[4096];
    struct stat st;

    if (snprintf(path, sizeof path, "%s/%s", dir, name) < (int)sizeof path &&
        lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}

void cli_remove_earlier(const char *dir, const char *before)
{
    char *now = cli_read_index(dir), name[NAME];

    for (const char *line = now ? before : NULL; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (file_of(line, strcspn(line, "\n"), name) && !lists(now, name))
            remove_file(dir, name);
    }
    free(now);
}
