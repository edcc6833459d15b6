// Who is not signed in sees how to.
import { useSignal } from "../signals";
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { hashOf } from "../route";
import { signIn } from "../state";
import { bound, Field } from "../ui/Field";
import { errorText } from "../ui/Toast";

export function SignIn() {
  const token = useSignal("");
  const error = useSignal("");
  const submit = (event: Event): void => {
    event.preventDefault();
    signIn({ token: token.value.trim() }).catch((reason: unknown) => (error.value = errorText(reason)));
  };
  return (
    <section class="sign-in">
      <h1>{t("signin.do")}</h1>
      <p>{t("signin.link")}</p>
      <pre class="mono">baleen web</pre>
      <p>{t("signin.token")}</p>
      <pre class="mono">baleen token create --scope submit --expires 30d</pre>
      <form onSubmit={submit}>
        <Field label={t("signin.field")} error={error.value || null}>
          <input type="password" autocomplete="off" required {...bound(token)} />
        </Field>
        <button class="primary" type="submit">{t("signin.do")}</button>
      </form>
    </section>
  );
}

/** #/in/CODE, the one-time link of the command line: signs in and forgets the code. */
export function OneTime({ code }: { code: string }) {
  const error = useSignal("");
  useEffect(() => {
    signIn({ code }).then(
      () => location.replace(hashOf("")),
      (reason: unknown) => (error.value = errorText(reason)),
    );
  }, [code]);
  if (!error.value) return <p class="loading" aria-busy="true">{t("signin.going_on")}</p>;
  return (
    <>
      <p class="error" role="alert">{t("signin.used")} {error.value}</p>
      <SignIn />
    </>
  );
}
