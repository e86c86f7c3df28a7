/* JPEG, by libjpeg, which leaves by longjmp where it cannot go on. */
#include "ir/shared.h"
#include "parser/image.h"

#ifdef INLAY_READS_jpeg

#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

enum { SCANS = 200 }; /* of a progressive file, which has some ten; each takes as long as all */

struct jpeg {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf stop;
    const image_source *s;
    char why[JMSG_LENGTH_MAX];
    inlay_tensor *t;
    uint8_t *row; /* RGB */
};

static _Noreturn void stop(j_common_ptr info)
{
    struct jpeg *j = info->client_data;

    info->err->format_message(info, j->why);
    longjmp(j->stop, 1);
}

/* A file of which a part is missing is refused, not filled up with grey; of other oddities the
 * first is told. */
static void hear(j_common_ptr info, int level)
{
    struct jpeg *j = info->client_data;

    if (level < 0 &&
        (info->err->msg_code == JWRN_JPEG_EOF || info->err->msg_code == JWRN_HIT_MARKER))
        stop(info);
    if (level < 0 && info->err->num_warnings++ == 0) {
        info->err->format_message(info, j->why);
        inlay_warn(j->s->d, &(inlay_pos){j->s->name, 0}, "%s", j->why);
    }
}

static void watch(j_common_ptr info)
{
    struct jpeg *j = info->client_data;

    if (j->info.input_scan_number <= SCANS)
        return;
    snprintf(j->why, sizeof j->why, "the picture has more than %d scans", SCANS);
    longjmp(j->stop, 1);
}

static void take_row(struct jpeg *j, uint8_t *to)
{
    JSAMPROW row = j->row;

    jpeg_read_scanlines(&j->info, &row, 1);
    for (JDIMENSION x = 0; x < j->info.output_width; x++, to += 4, row += 3) {
        to[0] = row[0];
        to[1] = row[1];
        to[2] = row[2];
        to[3] = 255;
    }
}

/* What it allocates is J's, because longjmp may leave it at any place. */
static void read_rows(struct jpeg *j)
{
    jpeg_read_header(&j->info, TRUE);
    j->info.out_color_space = JCS_RGB;
    j->t = image_new(j->s, j->info.image_width, j->info.image_height);
    j->row = j->t ? inlay_take_raw(j->s->budget, (size_t)j->info.image_width * 3) : NULL;
    if (j->t && !j->row) {
        inlay_fail_memory(j->s->d);
        inlay_tensor_release(j->t);
        j->t = NULL;
    }
    if (!j->row)
        return;
    jpeg_start_decompress(&j->info);
    for (uint8_t *to = j->t->data; j->info.output_scanline < j->info.output_height;
         to += (size_t)j->info.output_width * 4)
        take_row(j, to);
    jpeg_finish_decompress(&j->info);
}

static void begin(struct jpeg *j)
{
    j->info.err = jpeg_std_error(&j->errors);
    j->errors.error_exit = stop;
    j->errors.emit_message = hear;
    j->info.client_data = j;
    jpeg_create_decompress(&j->info);
    j->progress.progress_monitor = watch;
    j->info.progress = &j->progress;
    j->info.mem->max_memory_to_use =
        (long)(inlay_budget_left(j->s->budget) < LONG_MAX ? inlay_budget_left(j->s->budget) : 0);
    jpeg_mem_src(&j->info, j->s->bytes, (unsigned long)j->s->n);
}

/* Leaves the picture in J. */
static void read_picture(struct jpeg *j)
{
    if (setjmp(j->stop) == 0) {
        begin(j);
        read_rows(j);
    } else {
        image_fail(j->s, j->why);
        inlay_tensor_release(j->t);
        j->t = NULL;
    }
    jpeg_destroy_decompress(&j->info);
}

inlay_tensor *image_jpeg(const image_source *s)
{
    struct jpeg *j = inlay_take(s->budget, 1, sizeof *j);
    inlay_tensor *t;

    if (!j) {
        inlay_fail_memory(s->d);
        return NULL;
    }
    j->s = s;
    read_picture(j);
    t = j->t;
    inlay_give(j->row);
    inlay_give(j);
    return t;
}

#else

inlay_tensor *image_jpeg(const image_source *s)
{
    return image_missing(s, "JPEG");
}

#endif
