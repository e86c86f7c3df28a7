/* Child processes: other programs, and work that may crash its process. */
#ifndef INLAY_CLI_CHILD_H
#define INLAY_CLI_CHILD_H

#include "cli/cli.h"

#include <signal.h>

enum { CLI_FOLDER_SIZE = 512 }; /* for the path of a folder of temporary files */

typedef struct cli_child {
    char *const *argv; /* a program, found on the path, and its arguments, NULL at the end; or NULL:
                          a copy of this process calls WORK */
    int (*work)(void *ctx); /* returns the child's exit status */
    void *ctx;
    FILE *in;        /* standard input of the child; NULL: that of this process */
    FILE *out, *err; /* and its outputs likewise. They may be one file */
    int seconds;     /* limit in seconds of real time; then the child and all its descendants are
                        killed. 0: no limit */
    const volatile sig_atomic_t *stop; /* ends the child, if there is a limit, when this is no
                                          longer 0; NULL: not used */
} cli_child;

enum { CLI_CHILD_LATE = -2 }; /* in place of an exit status: the time limit was reached */

/* Runs the child to its end. Returns its exit status as a shell does: 128 + the number of the
 * signal that killed it; CLI_CHILD_LATE; -1: it could not be started, and errno says why. */
int cli_run_child(const cli_child *c);
/* Makes a folder that only this user can access, in $TMPDIR or else /tmp, and writes its path,
 * which ends in inlay-NAME-XXXXXX, to BUF. The error says WHAT it is for. */
bool cli_new_folder(const char *name, const char *what, char *buf, size_t size, inlay_diags *d);
/* Removes the files in FOLDER whose names do not begin with a dot. */
void cli_empty_folder(const char *folder);
/* Opens a file without a name, for the input or output of a child; NULL after an error. */
FILE *cli_child_file(inlay_diags *d);
/* Appends the contents of F to B; false: out of memory, or it cannot be read. */
bool cli_child_said(FILE *f, inlay_strbuf *b);

#endif
