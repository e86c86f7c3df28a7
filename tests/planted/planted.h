/* Bugs that are planted: tests/planted/README.md. */
#ifndef INLAY_TESTS_PLANTED_H
#define INLAY_TESTS_PLANTED_H

/* The number of the bug that is on, by its place in bugs.txt; 0: none is. */
extern int planted_bug;

#endif
