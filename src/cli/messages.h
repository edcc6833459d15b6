/* The catalogue: id, English, Chinese. A row needs both, or it does not compile. */
#ifndef BL_CLI_MESSAGES_H
#define BL_CLI_MESSAGES_H

#include "cli/messages_ask.h"
#include "cli/messages_booking.h"
#include "cli/messages_errors.h"
#include "cli/messages_help.h"
#include "cli/messages_jobs.h"
#include "cli/messages_report.h"
#include "cli/messages_token.h"
#include "cli/messages_verbs.h"
#include "cli/messages_web.h"

/* clang-format off */
#define BL_MESSAGES(X) \
    X(NOTHING, "", "") \
    BL_MESSAGES_JOBS(X) BL_MESSAGES_VERBS(X) BL_MESSAGES_HELP(X) BL_MESSAGES_ERRORS(X) \
    BL_MESSAGES_TOKEN(X) BL_MESSAGES_BOOKING(X) BL_MESSAGES_REPORT(X) BL_MESSAGES_WEB(X) BL_MESSAGES_ASK(X)
/* clang-format on */

#endif
