/* The text of questions to the solver, and its answers. */
#include "passes/prove/prove.h"

#include <stdio.h>
#include <string.h>

enum { BUDGET = 1000000 /* of the solver's rlimit for one question; a model may take more */ };

/* Facts about remainders of numbers in [0, 3 n), because at most three copies are joined. */
static const char about_remainders[] =
    "(declare-fun rem_of (Int Int) Int)\n"
    "(assert (forall ((k Int) (n Int)) (! (=> (< 0 n) "
    "(and (<= 0 (rem_of k n)) (< (rem_of k n) n) "
    "(=> (and (<= 0 k) (< k n)) (= (rem_of k n) k)) "
    "(=> (and (<= n k) (< k (* 2 n))) (= (rem_of k n) (- k n))) "
    "(=> (and (<= (* 2 n) k) (< k (* 3 n))) (= (rem_of k n) (- k (* 2 n)))))) "
    ":pattern ((rem_of k n)))))\n";

/* rows_picture.c */
static const char about_pictures[] =
    "(declare-fun window_fits (Int Int Int Int) Bool)\n(declare-fun windows (Int Int Int Int) "
    "Int)\n"
    "(declare-fun channel_of (Int Int Int Int) Int)\n(declare-fun group_of (Int Int) Int)\n"
    "(declare-fun in_group (Int Int) Int)\n(declare-fun steps (Int Int) Int)\n"
    "(declare-fun as_term (E) E)\n(declare-fun no_term () E)\n(declare-fun as_most (E) "
    "E)\n(declare-fun nothing () E)\n";

static const char remainders[] =
    "(define-fun rem_of ((k Int) (n Int)) Int (ite (= n 0) k (mod k n)))\n";

/* Declares the position with a given row-major number: a function of the sizes and the number, for
 * each axis. */
static void declare_places(inlay_strbuf *out)
{
    for (int rank = 2; rank <= PROVE_RANK; rank++) {
        for (int axis = 0; axis < rank; axis++) {
            inlay_strbuf_printf(out, "(declare-fun axis_%d_of_%d (", axis, rank);
            for (int i = 0; i <= rank; i++)
                inlay_strbuf_puts(out, " Int");
            inlay_strbuf_puts(out, ") Int)\n");
        }
    }
}

void prove_begin_text(inlay_strbuf *out, bool all)
{
    inlay_strbuf_printf(out, "(set-option :rlimit %d)\n", all ? BUDGET : 20 * BUDGET);
    inlay_strbuf_puts(out, "(set-option :auto_config false)\n(set-option :smt.mbqi false)\n"
                           "(declare-sort E 0)\n(declare-fun zero () E)\n"
                           "(declare-fun holds (E) Bool)\n(declare-fun as_int (E) Int)\n"
                           "(declare-fun of_int (Int) E)\n(declare-fun count_of (Int) E)\n"
                           "(declare-fun per_count (Int) E)\n(assert (not (holds zero)))\n");
    inlay_strbuf_puts(out, about_pictures);
    declare_places(out);
    inlay_strbuf_puts(out, all ? about_remainders : remainders);
    if (all)
        inlay_strbuf_puts(out, "(assert (forall ((k Int)) (! (= (as_int (of_int k)) k) "
                               ":pattern ((of_int k)))))\n");
}

void prove_say(inlay_strbuf *out, const smt *t)
{
    if (t->op == SMT_AND) {
        prove_say(out, t->arg[0]);
        prove_say(out, t->arg[1]);
    } else if (t->op != SMT_TRUE) {
        inlay_strbuf_puts(out, "(assert ");
        smt_print(out, t);
        inlay_strbuf_puts(out, ")\n");
    }
}

bool prove_next_line(const char **at, char *out, size_t size)
{
    size_t n = strcspn(*at, "\n");

    if (n == 0)
        return false;
    snprintf(out, size, "%.*s", (int)n, *at);
    *at += n + ((*at)[n] == '\n');
    return true;
}
