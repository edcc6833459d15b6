/* `NAME:key=value,…` to a policy with its options, and back. */
#ifndef BL_FORM_POLICYSPEC_H
#define BL_FORM_POLICYSPEC_H

#include "base/buf.h"
#include "core/policy.h"

/* Unknown names and keys are refused with the nearest one and the whole list. */
int bl_policyspec_parse(const char *text, struct bl_policy_choice *out, struct bl_error *err);

/* Appends the text that parses back to the same choice, every option written out. */
void bl_policyspec_print(struct bl_buf *out, const struct bl_policy_choice *choice);

#endif
