/* Runs many commands of inlay in few processes, which are forked here: the command is loaded once, and no shell is
 * started for each. usage: inlays FOLDER <LINES
 *
 * A line is NAME, and the arguments of a command, with a tab between each. What the command prints goes to the file
 * FOLDER/NAME; a line "NAME STATUS" is printed when it ends, STATUS being that of a shell. A command has a minute, or
 * INLAY_TEST_TIMEOUT seconds. As many processes run at once as there are processors, each of them up to BATCH commands
 * one after the other. Where one is ended by a command, the commands behind that go to another. A leak, found when a
 * process ends, is told as the status of its last command.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int inlay_main(int argc, char **argv); /* the main of cli/main.c */

enum { MOST_AT_ONCE = 64, MOST_WORDS = 64, SECONDS = 60, BATCH = 32 };

static struct job {
    pid_t pid; /* 0: free */
    char *lines[BATCH];
    int n, *at; /* how many lines, and which is run now; its process counts on */
} jobs[MOST_AT_ONCE];

/* Takes LINE apart at its tabs. Returns how many words there are. */
static int split(char *line, char **words)
{
    int n = 0;

    for (char *word = strtok(line, "\t\n"); word && n < MOST_WORDS; word = strtok(NULL, "\t\n"))
        words[n++] = word;
    words[n] = NULL;
    return n;
}

/* Lets FD be what PATH is. */
static bool redirect(int fd, const char *path, int how)
{
    int file = open(path, how, 0644);
    bool fine = file >= 0 && dup2(file, fd) >= 0;

    if (file >= 0 && file != fd)
        close(file);
    return fine;
}

static int run(const char *folder, char **words, int n)
{
    const char *limit = getenv("INLAY_TEST_TIMEOUT");
    char path[4096];
    int status;

    snprintf(path, sizeof path, "%s/%s", folder, words[0]);
    if (!redirect(0, "/dev/null", O_RDONLY) || !redirect(1, path, O_WRONLY | O_CREAT | O_TRUNC) ||
        dup2(1, 2) < 0)
        return 99;
    alarm(limit ? (unsigned)strtoul(limit, NULL, 10) : SECONDS);
    words[0] = "inlay";
    status = inlay_main(n, words);
    clearerr(stdin);
    clearerr(stdout);
    return status;
}

/* Runs the lines of J from where it stands, and says the status of all but the last. Returns that one's. */
static int run_lines(struct job *j, const char *folder, int told)
{
    for (;;) {
        char *words[MOST_WORDS + 1], *name;
        int n = split(j->lines[*j->at], words), status;

        name = words[0];
        status = run(folder, words, n);
        if (*j->at + 1 == j->n)
            return status;
        dprintf(told, "%s %d\n", name, status);
        ++*j->at;
    }
}

static void start(struct job *j, const char *folder)
{
    j->pid = fork();
    if (j->pid == 0)
        exit(run_lines(j, folder, fcntl(1, F_DUPFD_CLOEXEC, 3)));
}

/* Says what became of the line at which the process of J ended, and goes on behind it. Returns whether J is done. */
static bool finish(struct job *j, int status, const char *folder)
{
    char *words[MOST_WORDS + 1];

    if (split(j->lines[*j->at], words) > 0)
        printf("%s %d\n", words[0],
               WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    fflush(stdout);
    if (++*j->at < j->n) {
        start(j, folder);
        return false;
    }
    for (int i = 0; i < j->n; i++)
        free(j->lines[i]);
    j->pid = 0;
    return true;
}

/* Waits until a job is done, and returns it. NULL: none runs. */
static struct job *finish_one(const char *folder)
{
    int status;
    pid_t pid;

    while ((pid = wait(&status)) > 0)
        for (int i = 0; i < MOST_AT_ONCE; i++)
            if (jobs[i].pid == pid && finish(&jobs[i], status, folder))
                return &jobs[i];
    return NULL;
}

/* Reads the lines of the next job into J. Returns whether there are any. */
static bool read_lines(struct job *j)
{
    char *line = NULL;
    size_t room = 0;

    for (j->n = 0; j->n < BATCH && getline(&line, &room, stdin) >= 0;) {
        if (strspn(line, "\t\n") == strlen(line))
            continue;
        j->lines[j->n++] = line;
        line = NULL;
    }
    free(line);
    *j->at = 0;
    return j->n > 0;
}

int main(int argc, char **argv)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    int *at = mmap(NULL, MOST_AT_ONCE * sizeof *at, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (argc != 2 || at == MAP_FAILED)
        return 2;
    for (int i = 0; i < MOST_AT_ONCE; i++)
        jobs[i].at = &at[i];
    for (;;) {
        struct job *j =
            running < processors && running < MOST_AT_ONCE ? &jobs[running++] : finish_one(argv[1]);

        if (!j || !read_lines(j))
            break;
        start(j, argv[1]);
    }
    while (finish_one(argv[1]))
        ;
    return 0;
}
