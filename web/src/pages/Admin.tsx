// Tokens: for programs and other machines. Administrators see everybody's.
import { useSignal } from "../signals";
import type { Node, Token } from "../api/types";
import { useResource } from "../api/resource";
import { t, tx } from "../i18n";
import { client, session } from "../state";
import { confirm, Dialog } from "../ui/Dialog";
import { bound, Field } from "../ui/Field";
import { Problem } from "../ui/Problem";
import { Section } from "../ui/Section";
import { Text } from "../ui/Text";
import { errorText, toast, toastError } from "../ui/Toast";
import { When } from "../ui/When";
import { DrainButton } from "./Drain";
import { NodeState } from "./Nodes";

type Scope = Token["scope"];

/** The text of a new token is told once. */
function NewToken({ text, close }: { text: string; close: () => void }) {
  return (
    <Dialog title={t("token.made")} onClose={close}>
      <p>{t("token.once")}</p>
      <input class="mono wide" readOnly value={text} aria-label={t("signin.field")} onFocus={(event) => event.currentTarget.select()} />
      <footer>
        <button type="button" class="primary" onClick={() => void navigator.clipboard?.writeText(text).then(() => toast({ text: t("token.copied") }))}>
          {t("token.copy")}
        </button>
      </footer>
    </Dialog>
  );
}

function Create({ reload }: { reload: () => void }) {
  const name = useSignal("");
  const scope = useSignal<string>("read");
  const expires = useSignal("90d");
  const error = useSignal("");
  const made = useSignal("");
  const scopes: Scope[] = session.value?.admin ? ["read", "submit", "admin"] : ["read", "submit"];
  const create = (event: Event): void => {
    event.preventDefault();
    error.value = "";
    const body = { scope: scope.value, ...(name.value && { name: name.value }), ...(expires.value && { expires: expires.value }) };
    client.send<{ token: string }>("POST", "tokens", body).then(
      ({ token }) => { made.value = token; reload(); },
      (reason: unknown) => (error.value = errorText(reason)),
    );
  };
  return (
    <form class="row token-form" onSubmit={create}>
      <Field label={t("job.name")}><input {...bound(name)} /></Field>
      <Field label={t("token.scope")}>
        <select {...bound(scope)}>
          {scopes.map((one) => <option key={one} value={one}>{t(`scope.${one}`)}</option>)}
        </select>
      </Field>
      <Field label={t("token.expires")}><input {...bound(expires)} /></Field>
      <button type="submit" class="primary">{t("token.create")}</button>
      {error.value && <p class="error" role="alert">{error.value}</p>}
      {made.value && <NewToken text={made.value} close={() => (made.value = "")} />}
    </form>
  );
}

function Row({ token, reload }: { token: Token; reload: () => void }) {
  const label = <Text key="n" value={token.name ?? String(token.id)} length={40} />;
  const revoke = (): void => confirm({
    title: tx("token.revoke_title", { name: label }),
    text: t("token.revoke_text"),
    yes: t("token.revoke"),
    isGrave: true,
    act: () => void client.send("POST", `tokens/${token.id}/revoke`).then(reload, toastError),
  });
  return (
    <tr>
      <td class="num">{token.id}</td>
      <td>{label}</td>
      <td><Text value={token.user} length={24} /></td>
      <td>{t(`scope.${token.scope}`)}</td>
      <td><When at={token.created_at} /></td>
      <td>{token.expires_at !== null ? <When at={token.expires_at} /> : t("token.never")}</td>
      <td><button type="button" class="danger" onClick={revoke}>{t("token.revoke")}</button></td>
    </tr>
  );
}

function Tokens() {
  const { data, error, reload } = useResource<{ tokens: Token[] }>("tokens", { every_s: 60 });
  if (!data) return <Problem error={error} retry={reload} />;
  return (
    <Section title={t("token.title")}>
      <p class="hint">{t("token.text")}</p>
      <Create reload={reload} />
      {data.tokens.length > 0 && (
        <div class="scroll card" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("token.number")}</th><th scope="col">{t("job.name")}</th><th scope="col">{t("by.user")}</th>
                <th scope="col">{t("token.scope")}</th><th scope="col">{t("token.made_at")}</th><th scope="col">{t("token.expires")}</th>
                <th><span class="unseen">{t("token.revoke")}</span></th>
              </tr>
            </thead>
            <tbody>{data.tokens.map((token) => <Row key={token.id} token={token} reload={reload} />)}</tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

/** All nodes, to be taken out of use and back. */
function Drains() {
  const { data } = useResource<{ nodes: Node[] }>("nodes", { on: ["node"] });
  return (
    <Section title={t("admin.drain")}>
      <ul class="drains">
        {data?.nodes.map((node) => (
          <li key={node.name} class="row"><Text value={node.name} length={40} /><DrainButton node={node} /><NodeState node={node} /></li>
        ))}
      </ul>
    </Section>
  );
}

export function Admin() {
  return (
    <>
      <h1>{session.value?.admin ? t("nav.admin") : t("token.title")}</h1>
      {session.value?.admin && <Drains />}
      <Tokens />
    </>
  );
}
