/* reserve: book GPUs from one instant to another, once or again and again. */
#include "cli/cli.h"

#include "cli/booking.h"
#include "cli/when.h"
#include "form/tree_make.h"

#include <string.h>

enum {
    KEY_GPUS = BL_KEY_OWN,
    KEY_GPU_TYPE,
    KEY_POOL,
    KEY_ON,
    KEY_FROM,
    KEY_FOR,
    KEY_TO,
    KEY_EVERY,
    KEY_UNTIL,
    KEY_FLEX,
    KEY_ZONE,
    KEY_FOLD,
    KEY_NAME,
    KEY_PROJECT,
    KEY_USER,
    KEY_RELEASE_AFTER,
    KEY_COUNT
};

/* Values are put into the body when all are known: days are named in the zone. */
struct reserve {
    const char *value[KEY_COUNT];
};

static const struct bl_flag flags[] = {
    {"gpus", 'g', BL_TAKES_VALUE, KEY_GPUS, "N", BL_SAY_FLAG_RESERVE_GPUS},
    {"gpu-type", 0, BL_TAKES_VALUE, KEY_GPU_TYPE, "TYPE", BL_SAY_FLAG_RESERVE_GPU_TYPE},
    {"pool", 0, BL_TAKES_VALUE, KEY_POOL, "POOL", BL_SAY_FLAG_RESERVE_POOL},
    {"on", 0, BL_TAKES_VALUE, KEY_ON, "NODE:GPUS", BL_SAY_FLAG_RESERVE_ON},
    {"from", 0, BL_TAKES_VALUE, KEY_FROM, "TIME", BL_SAY_FLAG_RESERVE_FROM},
    {"for", 0, BL_TAKES_VALUE, KEY_FOR, "TIME", BL_SAY_FLAG_RESERVE_FOR},
    {"to", 0, BL_TAKES_VALUE, KEY_TO, "TIME", BL_SAY_FLAG_RESERVE_TO},
    {"every", 0, BL_TAKES_VALUE, KEY_EVERY, "RULE", BL_SAY_FLAG_RESERVE_EVERY},
    {"until", 0, BL_TAKES_VALUE, KEY_UNTIL, "DATE", BL_SAY_FLAG_RESERVE_UNTIL},
    {"flex", 0, BL_TAKES_VALUE, KEY_FLEX, "TIME", BL_SAY_FLAG_RESERVE_FLEX},
    {"zone", 0, BL_TAKES_VALUE, KEY_ZONE, "ZONE", BL_SAY_FLAG_RESERVE_ZONE},
    {"fold", 0, BL_TAKES_VALUE, KEY_FOLD, "first|second", BL_SAY_FLAG_RESERVE_FOLD},
    {"name", 'J', BL_TAKES_VALUE, KEY_NAME, "NAME", BL_SAY_FLAG_RESERVE_NAME},
    {"project", 0, BL_TAKES_VALUE, KEY_PROJECT, "PROJECT", BL_SAY_FLAG_RESERVE_PROJECT},
    {"user", 'u', BL_TAKES_VALUE, KEY_USER, "USER", BL_SAY_FLAG_RESERVE_USER},
    {"release-after", 0, BL_TAKES_VALUE, KEY_RELEASE_AFTER, "TIME", BL_SAY_FLAG_RESERVE_RELEASE},
    BL_FLAGS_COMMON,
};

/* The keys of the API, in the order of the flags. */
static const char *const keys[] = {"gpus",     "gpu_type", "pool",  "on",           "from", "for",
                                   "until_at", "every",    "until", "flex",         "zone", "fold",
                                   "name",     "project",  "user",  "release_after"};

_Static_assert(sizeof keys / sizeof keys[0] == (size_t)KEY_COUNT - (size_t)KEY_GPUS,
               "a key for each flag");

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct reserve *reserve = self;

    (void)err;
    reserve->value[key] = value;
    return BL_OK;
}

static int check(const struct bl_cli *cli, const struct reserve *reserve, struct bl_error *err)
{
    bool has_what = reserve->value[KEY_GPUS] || reserve->value[KEY_ON];
    bool has_end = reserve->value[KEY_FOR] || reserve->value[KEY_TO];

    if (has_what && has_end && reserve->value[KEY_FROM]) {
        return reserve->value[KEY_ZONE] ? bl_when_choose_zone(reserve->value[KEY_ZONE], err)
                                        : BL_OK;
    }
    bl_say_fail(err, BL_EINVAL,
                !has_what                   ? BL_SAY_E_RESERVE_WHAT
                : !reserve->value[KEY_FROM] ? BL_SAY_E_RESERVE_FROM
                                            : BL_SAY_E_RESERVE_FOR,
                NULL);
    return BL_HINT_SAYING(err, BL_SAY_H_USAGE_EXAMPLE, BL_T(cli->verb->usage),
                          BL_T("baleen reserve --gpus 4 --from 'tomorrow 09:00' --for 6h"));
}

static int send(struct bl_cli *cli, const struct reserve *reserve, struct bl_arena *arena,
                struct bl_error *err)
{
    struct bl_booking_request request = {"/api/v1/reservations",
                                         BL_BOOKING_POST,
                                         bl_tree_create(arena, BL_TREE_MAP),
                                         arena,
                                         0,
                                         true};

    for (int key = KEY_GPUS; key < KEY_COUNT; key++) {
        if (reserve->value[key]) {
            bl_booking_put(&request, keys[key - KEY_GPUS], reserve->value[key]);
        }
    }
    bl_booking_put_zone(&request);
    return bl_booking_ask(cli, &request, err);
}

static int run_reserve(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct bl_arena arena = {0};
    int status = bl_cli_refuse_words(cli, argc, argv, err);

    status = status ? status : check(cli, self, err);
    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    status = status ? status : send(cli, self, &arena, err);
    bl_arena_finish(&arena);
    return status;
}

const struct bl_verb bl_verb_reserve = {
    .name = "reserve",
    .usage = "reserve --gpus N|--on NODE:GPUS --from TIME --for TIME [--every RULE]",
    .summary = BL_SAY_HELP_RESERVE,
    .about = BL_SAY_ABOUT_RESERVE,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct reserve),
    .run = run_reserve,
};
