/* The graph that tests of storage notes begin with: windows of rows, and what ends a graph. */
#ifndef INLAY_TESTS_NOTE_ROWS_H
#define INLAY_TESTS_NOTE_ROWS_H

/* Rows of an [8,4] tensor: lo is 0:3, mid 2:5 and meets it, hi 5:8, down is lo backwards. */
#define ROWS                                                                                       \
    "%data = Parameter-1 {element_type = f32, shape = [8,4]}\n"                                    \
    "%u = Parameter-1 {element_type = f32, shape = [3,4]}\n"                                       \
    "%c0 = Const-1 {value = i64[1] [0]}\n"                                                         \
    "%c1 = Const-1 {value = i64[1] [1]}\n"                                                         \
    "%c2 = Const-1 {value = i64[1] [2]}\n"                                                         \
    "%c3 = Const-1 {value = i64[1] [3]}\n"                                                         \
    "%c5 = Const-1 {value = i64[1] [5]}\n"                                                         \
    "%c8 = Const-1 {value = i64[1] [8]}\n"                                                         \
    "%down = Const-1 {value = i64[1] [-1]}\n"                                                      \
    "%past = Const-1 {value = i64[1] [-9]}\n"                                                      \
    "%d = Tanh-1(%data)\n"
#define LO ", %c0, %c3, %c1)\n"
#define MID ", %c2, %c5, %c1)\n"
#define HI ", %c5, %c8, %c1)\n"
#define DOWN ", %c2, %past, %down)\n"
#define END(v) "%end_" #v " = Result-1(%" #v ")\n"

#endif
