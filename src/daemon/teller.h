/* Writes down what the daemon tells of starts and ends, so that it can be scored (core/scores.h):
 * of each job that waits the first word, the first range that rests on several runs, and, when it
 * starts, the last word before that. They become events in bunches: replay and life agree, and a
 * job costs two hundred bytes of the journal three times. */
#ifndef BL_DAEMON_TELLER_H
#define BL_DAEMON_TELLER_H

#include "daemon/driver.h"

struct bl_loop;
struct bl_teller;

struct bl_teller *bl_teller_create(struct bl_loop *loop, struct bl_driver *driver);
void bl_teller_destroy(struct bl_teller *teller);

/* After each record. */
void bl_teller_look(struct bl_teller *teller, const struct bl_ledger *ledger);

#endif
