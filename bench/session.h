/* ONNX Runtime's library, for several programs of this folder. */
#ifndef INLAY_BENCH_SESSION_H
#define INLAY_BENCH_SESSION_H

#include "cli/onnxruntime.h"

typedef struct ort_library {
    const ort_function *api;
    void *env, *options; /* one environment, and options with a number of threads */
} ort_library;

/* Each of these ends the program with a message if it fails. */

/* Opens the library at PATH for sessions of THREADS threads. */
void ort_open(ort_library *o, const char *path, int threads);
/* A session of the model at PATH. */
void *ort_session(const ort_library *o, const char *path);
void ort_release(const ort_library *o, void *session);
/* Ends the program if STATUS, the result of a function of the library's table, is an error. */
void ort_check(const ort_library *o, void *status);

#endif
