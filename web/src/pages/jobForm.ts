// From the fields of the form to the body of a submission, and from an error back to its field.
import type { ApiError } from "../api/client";

export interface Values {
  name: string;
  run: string;
  gpus: string;
  gpu_type: string;
  limit: string;
  workdir: string;
  project: string;
  class: string;
  cpus: string;
  mem: string;
  array: string;
  after: string;
  not_before: string;
  reservation: string;
  hold: boolean;
  promise: boolean;
}

export const EMPTY: Values = {
  name: "", run: "", gpus: "1", gpu_type: "", limit: "2h", workdir: "", project: "", class: "batch", cpus: "", mem: "",
  array: "", after: "", not_before: "", reservation: "", hold: false, promise: false,
};

type Body = { [key: string]: string | boolean | string[] | Body };

function without(body: Record<string, string | boolean | string[] | Body | undefined>): Body {
  const kept = Object.entries(body).filter(([, value]) =>
    value !== undefined && value !== "" && value !== false && !(Array.isArray(value) && !value.length) &&
    !(typeof value === "object" && !Array.isArray(value) && !Object.keys(value).length));
  return Object.fromEntries(kept) as Body;
}

const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** What POST /api/v1/jobs and POST /api/v1/plan take; empty fields are left away. */
export function bodyOf(values: Values): Body {
  const trimmed = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === "string" && key !== "run" ? value.trim() : value]),
  ) as unknown as Values;
  const { gpus, gpu_type, cpus, mem, limit, after, run, ...rest } = trimmed;
  return without({
    ...rest,
    run: run.replace(/\r\n/g, "\n"),
    resources: without({ gpus, cpus, mem, gpu: without({ type: gpu_type }) }),
    time: without({ limit }),
    after: words(after),
  });
}

/** The field that an error is about, or "" where it is about none of them. */
export function fieldOf(error: Pick<ApiError, "field" | "message">): keyof Values | "" {
  const last = error.field?.split(".").at(-1) ?? "";
  const name = last === "type" ? "gpu_type" : last;
  if (name in EMPTY) return name as keyof Values;
  // some are told by their text alone
  if (/\bworkdir\b/.test(error.message)) return "workdir";
  return /\brun:|\bcommand\b/.test(error.message) ? "run" : "";
}

/** Without the place in the body that the sentence may begin with: the field is shown. */
export function messageOf(error: Pick<ApiError, "message" | "hint">): string {
  const said = error.message.replace(/^request body: (?:[\w.]+: )?/, "");
  return error.hint ? `${said} (${error.hint})` : said;
}
