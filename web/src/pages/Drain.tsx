// Taking a node out of use and back.
import { useSignal } from "../signals";
import type { Node } from "../api/types";
import { noteChange } from "../api/resource";
import { ApiError } from "../api/client";
import { t, tx } from "../i18n";
import { client } from "../state";
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
  const at = useSignal("");
  const error = useSignal("");
  const submit = (event: Event): void => {
    event.preventDefault();
    drain(node, at.value.trim()).then(close, (reason: unknown) => {
      error.value = reason instanceof ApiError ? errorText(reason) : String(reason);
    });
  };
  return (
    <Dialog title={tx("drain.title", { name: <Text key="n" value={node.name} /> })} onClose={close}>
      <form onSubmit={submit}>
        <p>{t("drain.text")}</p>
        <Field label={t("drain.at")} hint={t("drain.at_hint")} error={error.value || null}>
          <input {...bound(at)} placeholder="2h" />
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
