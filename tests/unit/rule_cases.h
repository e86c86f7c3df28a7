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

/* Returns all cases of rules; the list is static. */
rule_case *rule_cases(size_t *n);
/* Returns all cases of passes, tests/passes/<pass>/; rule is the name of the pass. */
rule_case *pass_cases(size_t *n);
/* Returns the graph of C as it is before the pass; the caller frees it. *TEXT, which the caller
 * frees, is the file. Either fails the test. */
inlay_graph *rule_case_graph(const rule_case *c, char **text, inlay_diags *d);
/* Copies to OUT the rest of the next line of *AT that begins with KEY; *AT moves behind that line.
 * False when there is none. */
bool rule_case_line(const char **at, const char *key, char *out, size_t size);
/* Fails the test unless D says what the lines `// says: ` of TEXT, the file of C, want. */
void rule_case_says(const rule_case *c, const char *text, const inlay_diags *d);
/* Returns the name of the built-in set that has the rule called NAME; NULL when no set has it. */
const char *rule_set_of(const char *name);
/* The rule called NAME, which is built in, says that it is right within a tolerance. */
bool rule_is_approximate(const char *name);
/* Returns a copy of a built-in set that a test may change: its rules, what is known of its
 * conditions, its lists. The caller frees the copy like any set. */
inlay_rules *rule_set_copy(const char *set);
/* Returns a copy of the set that has the rule called NAME, with no other rule in its lists. */
inlay_rules *rule_alone(const char *name);
/* Returns whether a rule has just been applied for the first time in its pass; *BEFORE is the graph
 * as it was. This is asked about every event, with *BEFORE NULL at first; the caller frees
 * *BEFORE. */
bool rule_first_use(const inlay_event *e, inlay_graph **before, inlay_diags *d);

#endif
