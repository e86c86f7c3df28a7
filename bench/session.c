/* Opening ONNX Runtime. See session.h. */
#include "bench/session.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum place {
    GET_ERROR_MESSAGE = 2,
    CREATE_ENV = 3,
    CREATE_SESSION = 7,
    CREATE_SESSION_OPTIONS = 10,
    SET_INTRA_OP_NUM_THREADS = 24,
    RELEASE_SESSION = 95,
};
enum { API_VERSION = 8, LOG_ERROR = 3 };

typedef struct base {
    const ort_function *(*get_api)(uint32_t version);
} base;
typedef void *create_env(int level, const char *id, void **out);
typedef void *create_options(void **out);
typedef void *set_threads(void *options, int n);
typedef void *create_session(void *env, const char *path, void *options, void **out);
typedef void release(void *session);
typedef const char *error_message(const void *status);

void ort_check(const ort_library *o, void *status)
{
    if (!status)
        return;
    fprintf(stderr, "bench: %s\n", ((error_message *)o->api[GET_ERROR_MESSAGE])(status));
    exit(1);
}

void ort_open(ort_library *o, const char *path, int threads)
{
    void *library = dlopen(path, RTLD_NOW);
    const base *(*get_base)(void) = NULL;
    void *symbol = library ? dlsym(library, "OrtGetApiBase") : NULL;

    if (!symbol) {
        fprintf(stderr, "bench: %s\n", dlerror());
        exit(1);
    }
    memcpy(&get_base, &symbol, sizeof symbol); /* ISO C has no cast from one to the other */
    o->api = get_base()->get_api(API_VERSION);
    ort_check(o, ((create_env *)o->api[CREATE_ENV])(LOG_ERROR, "bench", &o->env));
    ort_check(o, ((create_options *)o->api[CREATE_SESSION_OPTIONS])(&o->options));
    ort_check(o, ((set_threads *)o->api[SET_INTRA_OP_NUM_THREADS])(o->options, threads));
}

void *ort_session(const ort_library *o, const char *path)
{
    void *session;

    ort_check(o, ((create_session *)o->api[CREATE_SESSION])(o->env, path, o->options, &session));
    return session;
}

void ort_release(const ort_library *o, void *session)
{
    ((release *)o->api[RELEASE_SESSION])(session);
}
