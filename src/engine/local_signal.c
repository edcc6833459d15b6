#include "engine/local_signal.h"

#include "os/proc.h"

static bool is_addressee(const struct bl_proc *process, pid_t supervisor, int number)
{
    return bl_proc_catches(process->pid, number) &&
           (process->parent == supervisor || !bl_proc_catches(process->parent, number));
}

/* The supervisor takes in what is orphaned: below it is all of the job. */
bool bl_local_signal_handlers(pid_t supervisor, int number)
{
    struct bl_proc_list list = {0};
    bool is_heard = false;

    bl_proc_scan_below(supervisor, &list);
    for (size_t i = 0; i < list.all.count; i++) {
        const struct bl_proc *process = &list.all.at[i];

        if (is_addressee(process, supervisor, number)) {
            bl_proc_signal(process->pid, process->start_ticks, number);
            is_heard = true;
        }
    }
    bl_proc_list_finish(&list);
    return is_heard;
}
