/* What the engine is told: the actions of a round, what it may forget, and at start what to take
 * over. */
#ifndef BL_DAEMON_ORDERS_H
#define BL_DAEMON_ORDERS_H

#include "daemon/ledger.h"
#include "engine/engine.h"

/* Borrowed, all of it. */
struct bl_orders {
    const struct bl_ledger *ledger;
    const struct bl_engine *engine;
    void *self; /* the engine's */
};

/* The actions of the last record. */
void bl_orders_carry_out(const struct bl_orders *orders);

/* After a record is on disk and applied: what it ended. */
void bl_orders_forget_changed(const struct bl_orders *orders);

/* Once, after the past was replayed: jobs that lived then, and what is left of others. */
void bl_orders_hand_over(struct bl_orders *orders);

#endif
