/* Text means the same whatever locale the host program has set. For the folders of this project,
 * not installed. */
#ifndef INLAY_IR_BASE_LOCALE_H
#define INLAY_IR_BASE_LOCALE_H

/* From here to inlay_locale_leave this thread's strtod and printf are those of the C locale.
 * Returns what leave wants. */
void *inlay_locale_enter(void);
void inlay_locale_leave(void *host);
/* As strcmp, but without regard to the case of the letters A to Z. */
int inlay_word_compare(const char *a, const char *b);

#endif
