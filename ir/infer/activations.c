/* The activation functions of recurrent cells by name. See activations.h. */
#include "ir/infer/activations.h"

#include <stdio.h>
#include <string.h>

enum { OPENVINO = INLAY_ACTIVATION_TANH + 1 }; /* this many kinds are functions of OpenVINO, too */

typedef struct word {
    const char *name;
    int numbers; /* number of parameters: 1: alpha; 2: alpha and beta; -2: alpha and beta, without
                    defaults */
    double alpha, beta;
} word;

/* By kind. The numbers are the defaults of ONNX's operators of these names. */
static const word words[] = {
    [INLAY_ACTIVATION_RELU] = {"relu", 0, 0, 0},
    [INLAY_ACTIVATION_SIGMOID] = {"sigmoid", 0, 0, 0},
    [INLAY_ACTIVATION_TANH] = {"tanh", 0, 0, 0},
    [INLAY_ACTIVATION_AFFINE] = {"affine", 2, 1, 0},
    [INLAY_ACTIVATION_LEAKY_RELU] = {"leakyrelu", 1, 0.01f, 0},
    [INLAY_ACTIVATION_THRESHOLDED_RELU] = {"thresholdedrelu", 1, 1, 0},
    [INLAY_ACTIVATION_SCALED_TANH] = {"scaledtanh", -2, 0, 0},
    [INLAY_ACTIVATION_HARD_SIGMOID] = {"hardsigmoid", 2, 0.2f, 0.5},
    [INLAY_ACTIVATION_ELU] = {"elu", 1, 1, 0},
    [INLAY_ACTIVATION_SOFTSIGN] = {"softsign", 0, 0, 0},
    [INLAY_ACTIVATION_SOFTPLUS] = {"softplus", 0, 0, 0},
};

/* Whether A and B are one word, whatever the case of their letters in ASCII. */
static bool same_word(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        int x = *a >= 'A' && *a <= 'Z' ? *a - 'A' + 'a' : *a;

        if (x != *b)
            return false;
    }
    return *a == *b;
}

static bool find(const char *name, int known, inlay_activation_kind *kind)
{
    for (int i = 0; i < known; i++) {
        if (!same_word(name, words[i].name))
            continue;
        *kind = (inlay_activation_kind)i;
        return true;
    }
    return false;
}

/* OUT receives the next number of LIST; functions that have parameters take the numbers of a list
 * in turn. */
static bool take(const inlay_attr *list, int *at, double *out)
{
    if (!list || *at >= list->n)
        return false;
    *out = list->as.floats[(*at)++];
    return true;
}

static bool read_numbers(const inlay_node *n, inlay_activation *out, int count, char *why,
                         size_t size)
{
    const inlay_attr *alphas = inlay_node_attr(n, "activation_alpha"),
                     *betas = inlay_node_attr(n, "activation_beta");
    int alpha = 0, beta = 0;

    for (int i = 0; i < count; i++) {
        const word *w = &words[out[i].kind];
        bool found;

        out[i].alpha = w->alpha;
        out[i].beta = w->beta;
        if (w->numbers == 0)
            continue;
        found = take(alphas, &alpha, &out[i].alpha);
        if (w->numbers != 1)
            found = take(betas, &beta, &out[i].beta) && found;
        if (w->numbers < 0 && !found) {
            snprintf(why, size, "activations[%d] is \"%s\", which needs an alpha and a beta", i,
                     w->name);
            return false;
        }
    }
    return true;
}

static bool read_names(const inlay_attr *a, bool openvino, inlay_activation *out, char *why,
                       size_t size)
{
    int known = openvino ? OPENVINO : (int)(sizeof words / sizeof words[0]);

    for (int i = 0; i < a->n; i++) {
        if (find(a->as.strings[i], known, &out[i].kind))
            continue;
        snprintf(why, size, "activations[%d] is \"%.80s\", it must be %s", i, a->as.strings[i],
                 openvino ? "relu, sigmoid or tanh" : "an activation function of ONNX");
        return false;
    }
    return true;
}

bool inlay_node_activations(const inlay_node *n, const inlay_activation_kind *defaults, int count,
                            int directions, inlay_activation *out, char *why, size_t size)
{
    const inlay_attr *a = inlay_node_attr(n, "activations");
    bool openvino = strcmp(n->op->set, "onnx") != 0;
    int all = count * directions, named = openvino ? count : all;

    for (int i = 0; i < all; i++)
        out[i] = (inlay_activation){defaults[i % count], 0, 0};
    if (!a || a->n == 0)
        return true;
    if (a->n != named) {
        snprintf(why, size, "activations has %d name%s, it must have %d", a->n,
                 inlay_plural(a->n, "", "s"), named);
        return false;
    }
    if (!read_names(a, openvino, out, why, size))
        return false;
    for (int i = named; i < all; i++)
        out[i] = out[i - count];
    return read_numbers(n, out, all, why, size);
}
