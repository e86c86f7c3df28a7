/* Runs many commands of inlay, each in a process that is forked here: the command is loaded once, and no shell is
 * started for each. usage: inlays FOLDER <LINES
 *
 * A line is NAME, and the arguments of a command, with a tab between each. What the command prints goes to the file
 * FOLDER/NAME; a line "NAME STATUS" is printed when it ends, STATUS being that of a shell. A command has a minute. As
 * many run at once as there are processors.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int inlay_main(int argc, char **argv); /* the main of cli/main.c */

enum { MOST_AT_ONCE = 64, MOST_WORDS = 64, SECONDS = 60 };

static struct job {
    pid_t pid; /* 0: free */
    char *name;
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

static int run(const char *folder, char **words, int n)
{
    char path[4096];
    int out, in = open("/dev/null", O_RDONLY);

    snprintf(path, sizeof path, "%s/%s", folder, words[0]);
    out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
        return 99;
    alarm(SECONDS);
    words[0] = "inlay";
    return inlay_main(n, words);
}

/* Waits for a command, tells its status, and returns its place. NULL: none runs. */
static struct job *finish_one(void)
{
    int status;
    pid_t pid = wait(&status);

    for (int i = 0; pid > 0 && i < MOST_AT_ONCE; i++) {
        if (jobs[i].pid != pid)
            continue;
        printf("%s %d\n", jobs[i].name,
               WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        fflush(stdout);
        free(jobs[i].name);
        jobs[i].pid = 0;
        return &jobs[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    char *line = NULL;
    size_t room = 0;

    while (argc == 2 && getline(&line, &room, stdin) >= 0) {
        char *words[MOST_WORDS + 1];
        int n = split(line, words);
        struct job *j =
            running < processors && running < MOST_AT_ONCE ? &jobs[running++] : finish_one();

        if (!j || n == 0)
            return 2;
        j->name = strdup(words[0]);
        j->pid = fork();
        if (j->pid == 0)
            exit(run(argv[1], words, n));
    }
    while (finish_one())
        ;
    free(line);
    return argc != 2;
}
