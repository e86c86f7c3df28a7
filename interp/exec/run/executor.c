/* The functions of the planned executor that kernels call. A kernel's body is run by walk.c, which
 * calls kernels: the recursion is as deep as bodies are nested. */
#include "interp/exec/run/executor.h"
#include "interp/exec/run/body.h"
#include "interp/exec/run/deferred.h"
#include "interp/exec/run/fused.h"
#include "interp/exec/run/loop.h"
#include "interp/exec/run/outputs.h"
#include "interp/exec/run/planned_step.h"
#include "interp/exec/run/split.h"

const call_executor exec_executor = {.run_body = exec_run_body,
                                     .run_deferred = exec_run_deferred,
                                     .repeat = exec_repeat,
                                     .show = exec_show,
                                     .copies = exec_assign_part,
                                     .split = exec_split,
                                     .rounds = exec_rounds,
                                     .block = exec_call_block,
                                     .overwrites = journal_save,
                                     .computes = exec_computes,
                                     .picked = exec_note_rows,
                                     .reader = exec_reader};
