/* DFT-7, IDFT-7, RDFT-9, IRDFT-9, STFT-15, ISTFT-16 and ONNX MelWeightMatrix-17. Transforms are in
 * f64, some lines side by side (fourier.h). */
#include "interp/kernels/axes.h"
#include "interp/kernels/fourier.h"

#include <math.h>
#include <string.h>

enum {
    LANES = 16,     /* lines that are transformed side by side */
    NUMBERS = 8192, /* of these lines together, if they are long */
    SLOTS = 32,     /* parts that threads share; each has a room of its own */
    STEPS = 10      /* a transform of n numbers takes about as long as this many times n sums */
};

typedef struct complex_number {
    double re, im;
} complex_number;

/* Transforms of N numbers, or their inverse. Each slot has room for some lanes. */
typedef struct transform {
    int64_t n, lanes, slots;
    bool inverse;
    fourier f;
    double *rooms;
} transform;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Sets T to transforms of LINES lines. */
static bool transform_of(inlay_call *c, int64_t n, bool inverse, int64_t lines, transform *t)
{
    int64_t lanes = n < NUMBERS ? smaller(LANES, NUMBERS / (n > 0 ? n : 1)) : 1;

    *t = (transform){.n = n, .inverse = inverse};
    if (n == 0 || lines == 0)
        return true;
    t->lanes = smaller(lanes, lines);
    t->slots = smaller((lines + t->lanes - 1) / t->lanes, SLOTS);
    return fourier_of(c, n, &t->f) &&
           (t->rooms = inlay_call_memory(c, t->slots,
                                         (size_t)(t->lanes * (2 * n + fourier_room(&t->f))) *
                                             sizeof *t->rooms));
}

/* Reads or writes LANES lines of numbers from line FIRST on: number j of line l is at j * LANES +
 * l. */
typedef void lanes_fn(const void *work, int64_t first, int64_t lanes, double *re, double *im);

/* What is transformed, from where to where. */
struct job {
    const transform *t;
    const void *work;
    lanes_fn *read, *write;
    int64_t lines;
};

/* An item is a slot, with its part of the lines. */
static void transform_slots(void *ctx, int64_t from, int64_t to)
{
    const struct job *k = ctx;
    const transform *t = k->t;
    int64_t blocks = (k->lines + t->lanes - 1) / t->lanes;
    int64_t room = t->lanes * (2 * t->n + fourier_room(&t->f));

    for (; from < to; from++) {
        int64_t first = from * blocks / t->slots * t->lanes;
        int64_t end = smaller((from + 1) * blocks / t->slots * t->lanes, k->lines);
        double *re = t->rooms + from * room;

        for (int64_t n; first < end; first += n) {
            n = smaller(t->lanes, end - first);
            double *im = re + t->n * n;

            k->read(k->work, first, n, re, im);
            if (t->inverse)
                fourier_transform(&t->f, n, im, re, im + t->n * n);
            else
                fourier_transform(&t->f, n, re, im, im + t->n * n);
            for (int64_t i = 0; t->inverse && i < t->n * n; i++) {
                re[i] /= (double)t->n;
                im[i] /= (double)t->n;
            }
            k->write(k->work, first, n, re, im);
        }
    }
}

static void transform_lines(inlay_call *c, struct job *k)
{
    const transform *t = k->t;

    if (t->slots > 0)
        call_split(c, t->slots, (double)STEPS * (double)t->n * (double)(k->lines / t->slots),
                   transform_slots, k);
}

/* A tensor of complex numbers. */
typedef struct spectrum {
    int rank;
    int64_t dims[INLAY_MAX_RANK];
    const complex_number *x;
} spectrum;

/* Lines along an axis of a spectrum, of SIZE numbers that are AFTER apart, and of their transforms,
 * of which KEPT numbers are computed. Missing numbers are zeros, further ones are cut off; with
 * MIRRORED the second half has the complex conjugates of the first one. */
struct axis_lines {
    const complex_number *x;
    complex_number *y;
    int64_t n, size, after, kept;
    bool mirrored;
};

static void read_axis(const void *work, int64_t first, int64_t lanes, double *re, double *im)
{
    const struct axis_lines *w = work;

    for (int64_t l = 0; l < lanes; l++) {
        int64_t line = first + l;
        const complex_number *x = w->x + line / w->after * w->size * w->after + line % w->after;

        for (int64_t j = 0; j < w->n; j++) {
            bool second = w->mirrored && j > w->n / 2;
            int64_t at = second ? w->n - j : j;
            complex_number z = at < w->size ? x[at * w->after] : (complex_number){0, 0};

            re[j * lanes + l] = z.re;
            im[j * lanes + l] = second ? -z.im : z.im;
        }
    }
}

static void write_axis(const void *work, int64_t first, int64_t lanes, double *re, double *im)
{
    const struct axis_lines *w = work;

    for (int64_t l = 0; l < lanes; l++) {
        int64_t line = first + l;
        complex_number *y = w->y + line / w->after * w->kept * w->after + line % w->after;

        for (int64_t m = 0; m < w->kept; m++)
            y[m * w->after] = (complex_number){re[m * lanes + l], im[m * lanes + l]};
    }
}

/* Transforms axis AXIS of S over N elements, of which the first KEPT ones are computed. */
static bool transform_axis(inlay_call *c, spectrum *s, int axis, int64_t n, int64_t kept,
                           bool inverse, bool mirrored)
{
    int64_t before = dims_product(s->dims, axis);
    int64_t after = dims_product(s->dims + axis + 1, s->rank - axis - 1);
    complex_number *y = inlay_call_memory(c, before * kept * after, sizeof *y);
    struct axis_lines w = {s->x, y, n, s->dims[axis], after, kept, mirrored};
    transform t;

    if (!y || !transform_of(c, n, inverse, before * after, &t))
        return false;
    transform_lines(c, &(struct job){&t, &w, read_axis, write_axis, before * after});
    s->x = y;
    s->dims[axis] = kept;
    return true;
}

/* Reads operand 0 as complex numbers, pairs of doubles; where it is not COMPLEX, its elements are
 * real. */
static bool read_spectrum(inlay_call *c, bool complex, spectrum *s)
{
    const inlay_tensor *in = c->in[0];
    const double *x = load_f64(c, 0);
    int64_t n = inlay_tensor_count(in);
    complex_number *pairs;

    s->rank = in->rank - complex;
    memcpy(s->dims, in->dims, (size_t)s->rank * sizeof *s->dims);
    s->x = (const complex_number *)x;
    if (!x || complex)
        return x != NULL;
    s->x = pairs = inlay_call_memory(c, n, sizeof *pairs);
    for (int64_t i = 0; pairs && i < n; i++)
        pairs[i].re = x[i];
    return pairs != NULL;
}

/* The axes and sizes that operands 1 and 2 list. */
typedef struct asked {
    int n, axis[INLAY_MAX_RANK];
    int64_t size[INLAY_MAX_RANK]; /* -1: as it is */
} asked;

static bool read_asked(inlay_call *c, int rank, asked *a)
{
    bool seen[INLAY_MAX_RANK];
    int64_t n, n_sizes = 0;
    const int64_t *axes, *sizes = NULL;

    if (!axes_of_operand(c, 1, rank, seen))
        return false;
    axes = load_ints(c, 1, &n);
    if (!axes || (call_has(c, 2) && !(sizes = load_ints(c, 2, &n_sizes))))
        return false;
    if (sizes && n_sizes != n)
        return inlay_call_fail(c, "signal_size has %lld element%s, axes has %lld",
                               (long long)n_sizes, inlay_plural(n_sizes, "", "s"), (long long)n);
    a->n = (int)n;
    for (int i = 0; i < a->n; i++) {
        a->axis[i] = (int)(axes[i] < 0 ? axes[i] + rank : axes[i]);
        a->size[i] = sizes ? sizes[i] : -1;
    }
    return true;
}

static bool store_spectrum(inlay_call *c, const spectrum *s, bool complex)
{
    int64_t n = dims_product(s->dims, s->rank);
    double *y;

    if (complex)
        return store_f64(c, 0, &s->x->re);
    y = inlay_call_memory(c, n, sizeof *y);
    for (int64_t i = 0; y && i < n; i++)
        y[i] = s->x[i].re;
    return y && store_f64(c, 0, y);
}

/* Transforms the first N axes that are asked for, one after another. */
static bool transform_all(inlay_call *c, spectrum *s, const asked *a, int n, bool inverse)
{
    for (int i = 0; i < n; i++) {
        int64_t size = a->size[i] < 0 ? s->dims[a->axis[i]] : a->size[i];

        if (!transform_axis(c, s, a->axis[i], size, size, inverse, false))
            return false;
    }
    return true;
}

static bool run_complex(inlay_call *c, bool inverse)
{
    spectrum s;
    asked a;

    return read_spectrum(c, true, &s) && read_asked(c, s.rank, &a) &&
           transform_all(c, &s, &a, a.n, inverse) && store_spectrum(c, &s, true);
}

bool eval_dft(inlay_call *c)
{
    return run_complex(c, false);
}

bool eval_idft(inlay_call *c)
{
    return run_complex(c, true);
}

/* The last axis of the list is transformed first, because the data is real there; half of the
 * result stays. */
bool eval_rdft(inlay_call *c)
{
    spectrum s;
    asked a;
    int64_t size;

    if (!read_spectrum(c, false, &s) || !read_asked(c, s.rank, &a))
        return false;
    if (a.n > 0) {
        size = a.size[a.n - 1] < 0 ? s.dims[a.axis[a.n - 1]] : a.size[a.n - 1];
        if (!transform_axis(c, &s, a.axis[a.n - 1], size, size / 2 + 1, false, false))
            return false;
    }
    return transform_all(c, &s, &a, a.n - 1, false) && store_spectrum(c, &s, true);
}

/* The last axis of the list is transformed last: the half that is there stands for all of that
 * axis. */
bool eval_irdft(inlay_call *c)
{
    spectrum s;
    asked a;
    int64_t size;

    if (!read_spectrum(c, true, &s) || !read_asked(c, s.rank, &a) ||
        !transform_all(c, &s, &a, a.n - 1, true))
        return false;
    if (a.n > 0) {
        size = a.size[a.n - 1] < 0 ? 2 * (s.dims[a.axis[a.n - 1]] - 1) : a.size[a.n - 1];
        size = size < 0 ? 0 : size;
        if (!transform_axis(c, &s, a.axis[a.n - 1], size, size, true, true))
            return false;
    }
    return store_spectrum(c, &s, false);
}

/* STFT */

typedef struct frames {
    int64_t count, size, step, bins;
    bool transposed;
    double *window; /* SIZE elements: a shorter one stands in the middle of zeros */
} frames;

/* Reads operand 1, which is not longer than a frame of F. */
static bool read_window(inlay_call *c, frames *f)
{
    int64_t window = c->in[1]->dims[0];
    const double *given = load_f64(c, 1);

    f->window = inlay_call_memory(c, f->size, sizeof *f->window);
    f->bins = f->size / 2 + 1;
    if (!given || !f->window)
        return false;
    for (int64_t i = 0; i < window; i++)
        f->window[(f->size - window) / 2 + i] = given[i];
    return true;
}

static bool read_frames(inlay_call *c, frames *f)
{
    const inlay_tensor *signal = c->in[0];
    int64_t length = signal->dims[signal->rank - 1], window = c->in[1]->dims[0];

    if (!load_one_int(c, 2, &f->size) || !load_one_int(c, 3, &f->step))
        return false;
    if (f->size < 1 || f->size > length || f->step < 1 || window > f->size)
        return inlay_call_fail(c,
                               "frames of %lld element%s, %lld apart, with a window of %lld do "
                               "not fit a signal of %lld",
                               (long long)f->size, inlay_plural(f->size, "", "s"),
                               (long long)f->step, (long long)window, (long long)length);
    f->count = (length - f->size) / f->step + 1;
    f->transposed = inlay_node_bool(c->node, "transpose_frames");
    return read_window(c, f);
}

/* Frames of all signals of a batch, and their transforms. */
struct framed {
    const frames *f;
    const double *x;
    int64_t length; /* of a signal */
    double *y;
};

static void read_frames_of(const void *work, int64_t first, int64_t lanes, double *re, double *im)
{
    const struct framed *w = work;
    const frames *f = w->f;

    for (int64_t l = 0; l < lanes; l++) {
        int64_t frame = first + l;
        const double *x = w->x + frame / f->count * w->length + frame % f->count * f->step;

        for (int64_t i = 0; i < f->size; i++) {
            re[i * lanes + l] = x[i] * f->window[i];
            im[i * lanes + l] = 0;
        }
    }
}

static void write_bins(const void *work, int64_t first, int64_t lanes, double *re, double *im)
{
    const struct framed *w = work;
    const frames *f = w->f;

    for (int64_t l = 0; l < lanes; l++) {
        int64_t frame = (first + l) % f->count;
        double *y = w->y + 2 * ((first + l) / f->count * f->count * f->bins);

        for (int64_t m = 0; m < f->bins; m++) {
            int64_t at = f->transposed ? m * f->count + frame : frame * f->bins + m;

            y[2 * at] = re[m * lanes + l];
            y[2 * at + 1] = im[m * lanes + l];
        }
    }
}

bool eval_stft(inlay_call *c)
{
    const inlay_tensor *signal = c->in[0];
    int64_t length = signal->dims[signal->rank - 1], batch = signal->rank > 1 ? signal->dims[0] : 1;
    const double *x = load_f64(c, 0);
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);
    transform t;
    frames f;

    if (!x || !y || !read_frames(c, &f) || !transform_of(c, f.size, false, batch * f.count, &t))
        return false;
    transform_lines(c, &(struct job){&t, &(struct framed){&f, x, length, y}, read_frames_of,
                                     write_bins, batch * f.count});
    return store_f64(c, 0, y);
}

/* ISTFT */

/* The sums of all frames of a signal, and of their windows. */
typedef struct overlap {
    int64_t length;
    double *sum, *window;
} overlap;

static bool overlap_of(inlay_call *c, const frames *f, overlap *o)
{
    if (f->count > (INT64_MAX - f->size) / f->step)
        return inlay_call_fail(c, "%lld frame%s, %lld apart, are too long a signal",
                               (long long)f->count, inlay_plural(f->count, "", "s"),
                               (long long)f->step);
    o->length = (f->count - 1) * f->step + f->size;
    o->sum = inlay_call_memory(c, o->length, sizeof *o->sum);
    o->window = inlay_call_memory(c, o->length, sizeof *o->window);
    for (int64_t i = 0; o->sum && o->window && i < f->count * f->size; i++)
        o->window[i / f->size * f->step + i % f->size] += f->window[i % f->size];
    return o->sum && o->window;
}

/* Adds up the inverse transforms of the frames at X, which are [bins, frames]. */
static bool add_frames(inlay_call *c, const frames *f, const complex_number *x, overlap *o)
{
    spectrum s = {2, {f->bins, f->count}, x};

    if (!transform_axis(c, &s, 0, f->size, f->size, true, true))
        return false;
    memset(o->sum, 0, (size_t)o->length * sizeof *o->sum);
    for (int64_t i = 0; i < f->count; i++) {
        for (int64_t m = 0; m < f->size; m++)
            o->sum[i * f->step + m] += s.x[m * f->count + i].re;
    }
    return true;
}

static bool read_spectral_frames(inlay_call *c, const spectrum *s, frames *f)
{
    int64_t window = c->in[1]->dims[0];

    if (!load_one_int(c, 2, &f->size) || !load_one_int(c, 3, &f->step))
        return false;
    f->count = s->dims[s->rank - 1];
    if (f->size < 1 || f->step < 1 || f->count < 1 || window > f->size)
        return inlay_call_fail(
            c, "%lld frame%s of %lld element%s, %lld apart, with a window of %lld are no signal",
            (long long)f->count, inlay_plural(f->count, "", "s"), (long long)f->size,
            inlay_plural(f->size, "", "s"), (long long)f->step, (long long)window);
    return read_window(c, f);
}

bool eval_istft(inlay_call *c)
{
    int64_t length = c->out[0]->dims[c->out[0]->rank - 1], start, batch;
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);
    overlap o = {0};
    spectrum s;
    frames f;
    double scale;

    if (!y || !read_spectrum(c, true, &s) || !read_spectral_frames(c, &s, &f) ||
        !overlap_of(c, &f, &o))
        return false;
    batch = s.rank > 2 ? s.dims[0] : 1;
    start = inlay_node_bool(c->node, "center") ? f.size / 2 : 0;
    scale = inlay_node_bool(c->node, "normalized") ? sqrt((double)f.size) : 1;
    for (int64_t b = 0; b < batch; b++) {
        if (!add_frames(c, &f, s.x + b * f.bins * f.count, &o))
            return false;
        for (int64_t i = 0; i < length && start + i < o.length; i++) {
            double window = o.window[start + i];

            y[b * length + i] = window != 0 ? o.sum[start + i] * scale / window : 0;
        }
    }
    return store_f64(c, 0, y);
}

/* MelWeightMatrix */

static double mel_of(double hertz)
{
    return 2595 * log10(1 + hertz / 700);
}

static double hertz_of(double mel)
{
    return 700 * (pow(10, mel / 2595) - 1);
}

typedef struct mels {
    int64_t bands, length, rate, rows;
    double low, high; /* in mel */
} mels;

/* Returns the row of the spectrum at which edge I of BANDS + 2 edges stands. */
static double edge(const mels *p, int64_t i)
{
    double step = (p->high - p->low) / (double)(p->bands + 2);
    double hertz = hertz_of(p->low + (double)i * step);

    return floor((double)(p->length + 1) * hertz / (double)p->rate);
}

/* Returns the element at ROW of a band of the matrix: a triangle between three edges E, 1 at the
 * middle one. */
static double band(const double *e, int64_t row)
{
    double at = (double)row;

    if (at == e[1])
        return 1;
    if (at < e[1])
        return at >= e[0] ? (at - e[0]) / (e[1] - e[0]) : 0;
    return at < e[2] ? (e[2] - at) / (e[2] - e[1]) : 0;
}

bool eval_mel_weight_matrix(inlay_call *c)
{
    mels p = {.low = mel_of(inlay_tensor_get_f64(c->in[3], 0)),
              .high = mel_of(inlay_tensor_get_f64(c->in[4], 0))};
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y), *edges;

    if (!y || !load_one_int(c, 0, &p.bands) || !load_one_int(c, 1, &p.length) ||
        !load_one_int(c, 2, &p.rate))
        return false;
    edges = inlay_call_memory(c, p.bands + 2, sizeof *edges);
    if (!edges)
        return false;
    for (int64_t i = 0; i < p.bands + 2; i++)
        edges[i] = edge(&p, i);
    p.rows = p.length / 2 + 1;
    for (int64_t row = 0; row < p.rows; row++) {
        for (int64_t i = 0; i < p.bands; i++)
            y[row * p.bands + i] = band(edges + i, row);
    }
    return store_f64(c, 0, y);
}
