/* What has a name: files that a model refers to, files that are written. Finding one takes the same
 * time however many there are. Private to parser/. */
#ifndef INLAY_PARSER_NAMES_H
#define INLAY_PARSER_NAMES_H

#include "ir/budget.h"

typedef struct parser_names {
    struct parser_name {
        const char *name;
        void *what;
    } * list;
    size_t n, cap;
    size_t
        *slots; /* twice as many as CAP: a hash table with open addressing of index + 1; 0: free */
    inlay_budget *budget; /* where it counts; NULL: nowhere */
} parser_names;

/* What was added as NAME; NULL: nothing was. */
void *parser_names_find(const parser_names *t, const char *name);
/* Adds WHAT as NAME, which nothing has and which must outlive T. False: out of memory. */
bool parser_names_add(parser_names *t, const char *name, void *what);
void parser_names_free(parser_names *t);

#endif
