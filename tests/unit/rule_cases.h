/* The cases of the rules, tests/rules/<rule>/{yes,no}_*.inlay, and of the passes, for the tests
 * that go through them. */
#ifndef TESTS_UNIT_RULE_CASES_H
#define TESTS_UNIT_RULE_CASES_H

#include "passes/rules/driver.h"

typedef struct rule_case {
    char path[512];
    char rule[64];
    bool yes;
    uint64_t applied, changes; /* for the test that runs it */
    inlay_graph *before;       /* the same: see rule_first_use */
} rule_case;

/* All cases; the list is static. */
rule_case *rule_cases(size_t *n);
/* The same of the passes, tests/passes/<pass>/; rule is the name of the pass. */
rule_case *pass_cases(size_t *n);
/* The graph of C, before what it must become, in the test's hands; *TEXT, to be freed, is the file.
 * Either fails the test. */
inlay_graph *rule_case_graph(const rule_case *c, char **text, inlay_diags *d);
/* The rest of the next line of *AT that begins with KEY, in OUT; *AT moves behind it. False when
 * there is none. */
bool rule_case_line(const char **at, const char *key, char *out, size_t size);
/* Fails the test unless D says what the lines `// says: ` of TEXT, the file of C, want. */
void rule_case_says(const rule_case *c, const char *text, const inlay_diags *d);
/* The name of the built-in set that has the rule called NAME; NULL when none has. */
const char *rule_set_of(const char *name);
/* A copy of a built-in set that a test may change: its rules, what is known of its conditions, its
 * lists. To be freed as any set. */
inlay_rules *rule_set_copy(const char *set);
/* The set that has the rule called NAME, with no other rule in its lists; a copy. */
inlay_rules *rule_alone(const char *name);
/* A rule has just been applied for the first time in its pass; *BEFORE is the graph as it was. To
 * be asked about every event, with *BEFORE NULL at first; the caller frees it. */
bool rule_first_use(const inlay_event *e, inlay_graph **before, inlay_diags *d);

#endif
