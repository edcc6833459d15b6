// Taking a node out of use and back.
import { useSignal } from "../signals";
import type { Node } from "../api/types";
import { noteChange } from "../api/resource";
import { ApiError } from "../api/client";
import { t, tx } from "../i18n";
import { client, now, zone } from "../state";
import { fromInput, showOffset, toInput, toRequest } from "../time/format";
import { Dialog } from "../ui/Dialog";
import { bound, Field } from "../ui/Field";
import { Text } from "../ui/Text";
import { errorText, toast, toastError } from "../ui/Toast";

const path = (node: Node, verb: "drain" | "resume"): string => `nodes/${encodeURIComponent(node.name)}/${verb}`;

async function drain(node: Node, at: string): Promise<void> {
  await client.send("POST", path(node, "drain"), at ? { at } : {});
  noteChange("node");
  toast({ text: tx("done.drain", { name: <Text key="n" value={node.name} /> }), undo: () => void resume(node) });
}

async function resume(node: Node): Promise<void> {
  try {
    await client.send("POST", path(node, "resume"));
    noteChange("node");
    toast({ text: tx("done.resume", { name: <Text key="n" value={node.name} /> }) });
  } catch (reason) {
    toastError(reason);
  }
}

function DrainDialog({ node, close }: { node: Node; close: () => void }) {
  const text = useSignal("");
  const error = useSignal("");
  const [at] = fromInput(text.value, zone.value);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.value && at === undefined) {
      error.value = t("booking.bad_skipped");
      return;
    }
    drain(node, at === undefined ? "" : toRequest(at, zone.value)).then(close, (reason: unknown) => {
      error.value = reason instanceof ApiError ? errorText(reason) : String(reason);
    });
  };
  return (
    <Dialog title={tx("drain.title", { name: <Text key="n" value={node.name} /> })} onClose={close}>
      <form onSubmit={submit}>
        <p>{t("drain.text")}</p>
        <Field label={t("drain.at")} error={error.value || null}
          hint={at === undefined ? t("drain.now") : t("booking.zone", { zone: zone.value, offset: showOffset(zone.value, at) })}>
          <input type="datetime-local" min={toInput(now.value, zone.value)} {...bound(text)} />
        </Field>
        <footer>
          <button type="button" onClick={close}>{t("action.back")}</button>
          <button type="submit" class="primary">{t("action.drain")}</button>
        </footer>
      </form>
    </Dialog>
  );
}

export function DrainButton({ node }: { node: Node }) {
  const isAsking = useSignal(false);
  const isOut = node.state === "drained" || node.drain_at !== null;
  return (
    <>
      <button type="button" onClick={() => (isOut ? void resume(node) : (isAsking.value = true))}>
        {isOut ? t("action.resume") : t("action.drain")}
      </button>
      {isAsking.value && <DrainDialog node={node} close={() => (isAsking.value = false)} />}
    </>
  );
}
