/* Makes text mean the same whatever locale the host program has set. For the folders of this
 * project, not installed. */
#ifndef INLAY_IR_BASE_LOCALE_H
#define INLAY_IR_BASE_LOCALE_H

/* Until inlay_locale_leave, this thread's strtod and printf use the C locale. Returns the argument
 * of leave. */
void *inlay_locale_enter(void);
void inlay_locale_leave(void *host);
/* strcmp, ignoring the case of the letters A to Z. */
int inlay_word_compare(const char *a, const char *b);

#endif
