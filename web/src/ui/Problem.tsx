import type { ApiError } from "../api/client";
import { t } from "../i18n";
import { errorText } from "./Toast";

/** What stands where something is not there yet, or cannot be had. */
export function Problem({ error, retry }: { error: ApiError | null; retry?: () => void }) {
  if (!error) return <p class="loading" aria-busy="true">{t("app.loading")}</p>;
  return (
    <div class="problem" role="alert">
      <p>{errorText(error)}</p>
      {retry && <button type="button" onClick={retry}>{t("action.retry")}</button>}
    </div>
  );
}
