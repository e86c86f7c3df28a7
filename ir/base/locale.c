/* Reads and writes text in the C locale, whatever locale the host program has set: a decimal comma,
 * or a Turkish i, must not change the meaning of a model. */

#include "ir/base/locale.h"

#include <locale.h>

/* The C locale is a constant object in glibc and musl: this does not allocate there. */
void *inlay_locale_enter(void)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    return c ? uselocale(c) : NULL;
}

void inlay_locale_leave(void *host)
{
    if (host)
        freelocale(uselocale(host));
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int inlay_word_compare(const char *a, const char *b)
{
    a = a ? a : "";
    b = b ? b : "";
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) - lower(*b);
}
