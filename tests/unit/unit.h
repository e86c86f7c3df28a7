/* What every test program includes: cmocka, and the headers of C that cmocka asks for before it and that
 * nearly every test needs. */
#ifndef INLAY_TESTS_UNIT_H
#define INLAY_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1 with AddressSanitizer: arenas have bytes behind each object then. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#ifdef __SANITIZE_ADDRESS__
#define ADDRESS_SANITIZED 1
#else
#define ADDRESS_SANITIZED __has_feature(address_sanitizer)
#endif

/* It does not include what it needs, so it comes last. */
#include <cmocka.h>

#endif
