/* Reads a folder of profiles: APP/placements-GPU.csv, APP/scalability-GPU.csv and
 * APP/validation-BATCH.csv for each application, and the tables apps.csv and steptime_generic.csv
 * in tables/ beside or in the folder; each may be compressed (.gz, .zst). Tables, scalability and
 * GPU types may be missing (form/profiles.h says what stands in for them). What is wrong with one
 * application is told when a job uses it. */
#ifndef BL_SIM_PROFILES_DIR_H
#define BL_SIM_PROFILES_DIR_H

#include "form/profiles.h"

/* GPU types that no node of the cluster has are passed over. */
int bl_sim_read_profiles(const char *folder, const struct bl_clusterspec *cluster,
                         struct bl_profiles *out, struct bl_error *err);

#endif
