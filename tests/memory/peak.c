/* Runs a command and writes the most memory that it had, in KiB, to the file PEAK of the
 * environment; with ANON the most memory that is no file's, looked at every half millisecond, to
 * that one. Exits with the command's status. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long anonymous(pid_t child)
{
    char line[256];
    long kib = 0;
    FILE *f;

    snprintf(line, sizeof line, "/proc/%ld/status", (long)child);
    f = fopen(line, "r");
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, "RssAnon:", 8) == 0)
            kib = strtol(line + 8, NULL, 10);
    }
    if (f)
        fclose(f);
    return kib;
}

static int tell(const char *path, long kib)
{
    FILE *f = path ? fopen(path, "w") : NULL;

    return !path || (f && fprintf(f, "%ld\n", kib) > 0 && fclose(f) == 0);
}

int main(int argc, char **argv)
{
    struct rusage used;
    int status;
    long most = 0;
    pid_t child = fork(), ended = 0;

    if (child == 0) {
        execv(argc > 1 ? argv[1] : "", argv + 1);
        _exit(127);
    }
    while (child > 0 && (ended = wait4(child, &status, getenv("ANON") ? WNOHANG : 0, &used)) == 0) {
        long now = anonymous(child);

        most = now > most ? now : most;
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    if (child < 0 || ended != child)
        return 126;
    if (!tell(getenv("PEAK"), used.ru_maxrss) || !tell(getenv("ANON"), most))
        return 125;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}
