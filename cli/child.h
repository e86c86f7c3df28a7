/* Child processes: programs that a command asks, and work that may end the process that does it. */
#ifndef INLAY_CLI_CHILD_H
#define INLAY_CLI_CHILD_H

#include "cli/cli.h"

#include <signal.h>

enum { CLI_FOLDER_SIZE = 512 }; /* room for the path of a folder for files that pass */

typedef struct cli_child {
    char *const *argv; /* a program, found on the path, and its arguments, NULL at the end; or NULL:
                          a copy of this process calls WORK */
    int (*work)(void *ctx); /* what it returns is the child's exit status */
    void *ctx;
    FILE *in;        /* what the child reads; NULL: as this process */
    FILE *out, *err; /* where it writes; the same. They may be one file */
    int seconds;     /* of the clock that it may take; then it is ended, and all that it has started
                        with it. 0: no limit */
    const volatile sig_atomic_t *stop; /* when that is no longer 0, with a limit, the time is over;
                                          NULL: nobody stops it */
} cli_child;

enum { CLI_CHILD_LATE = -2 }; /* in the place of an exit status: its time was over */

/* Runs it to its end. The exit status as a shell has it: 128 + the number of the signal that ended
 * it; CLI_CHILD_LATE; -1, and errno says why: it could not be started. */
int cli_run_child(const cli_child *c);
/* Makes a folder that only this user may look into, in $TMPDIR or else /tmp, and writes its path,
 * which ends in inlay-NAME-XXXXXX, to BUF. WHAT it is for stands in the error. */
bool cli_new_folder(const char *name, const char *what, char *buf, size_t size, inlay_diags *d);
/* A file without a name, for what a child reads or says; NULL after an error. */
FILE *cli_child_file(inlay_diags *d);
/* All that F holds, added to B; false: memory ran out, or it cannot be read. */
bool cli_child_said(FILE *f, inlay_strbuf *b);

#endif
