/* What a job carries for the prediction of its run time: what it may follow from besides who asked
 * for what, and what was foreseen when it was submitted. */
#ifndef BL_CORE_FORESIGHT_H
#define BL_CORE_FORESIGHT_H

#include "core/predict_dist.h"

enum { BL_CLUES_PARAMS_MAX = 6, BL_SIBLINGS_MAX = 4 };

/* A parameter that is a number above 0. */
struct bl_clue_param {
    int64_t name;  /* hash */
    int32_t point; /* log2 of its value, in BL_DIST_OCTAVE */
};

/* What it runs. Hashes are 0 where there is nothing. */
struct bl_clues {
    int64_t command; /* without its numbers: "train 17" and "train 18" are one */
    int64_t variant; /* the names of all parameters, and the texts of those that are no numbers */
    int32_t param_count;
    struct bl_clue_param param[BL_CLUES_PARAMS_MAX]; /* by name */
};

/* How things stood when the prediction was asked for. */
struct bl_asked {
    int64_t known; /* runs below this number had ended */
    int32_t crowd; /* jobs of the same user that had not ended, itself not counted */
    int32_t sibling_count;
    int32_t sibling[BL_SIBLINGS_MAX]; /* how long others of its kind had run, as points */
};

struct bl_foresight {
    struct bl_asked asked;
    struct bl_dist dist; /* as of submission, or of the last time that it was asked for anew */
    int64_t fresh;       /* runs below this number were known then */
    int64_t user;        /* key of the user's runs */
    bl_time mean;        /* of dist; 0 = unknown */
    double haste;        /* bl_dist_haste of it */
};

#endif
