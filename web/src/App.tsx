import type { ComponentChildren, JSX } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { ApiError } from "./api/client";
import { language, t } from "./i18n";
import { Admin } from "./pages/Admin";
import { JobPage } from "./pages/JobPage";
import { Mine } from "./pages/Mine";
import { Nodes } from "./pages/Nodes";
import { Reports } from "./pages/Reports";
import { OneTime, SignIn } from "./pages/SignIn";
import { Submit } from "./pages/Submit";
import { route, type Route } from "./route";
import { reachable, session } from "./state";
import { Timeline } from "./timeline/Timeline";
import { Confirmation } from "./ui/Dialog";
import { Header } from "./ui/Header";
import { Help } from "./ui/Help";
import { LiveRegion } from "./ui/Live";
import { Problem } from "./ui/Problem";
import { Toasts } from "./ui/Toast";

const PAGES: Partial<Record<Route["page"], () => JSX.Element>> = {
  nodes: Nodes,
  reports: Reports,
  submit: Submit,
  admin: Admin,
  timeline: Timeline,
};

/** My jobs first, then the calendar of all GPUs. */
function First() {
  return (
    <>
      <Mine />
      <Timeline />
    </>
  );
}

function Page() {
  const { page, id } = route.value;
  if (page === "in" && id) return <OneTime code={id} />;
  if (session.value === undefined) return <Problem error={null} />;
  if (session.value === null || page === "in") return <SignIn />;
  if (page === "job" && id) return <JobPage key={id} id={id} />;
  const Other = PAGES[page] ?? First;
  return <Other />;
}

/** An answer that the page cannot show takes down what shows it, and no more. */
function Guarded({ children }: { children: ComponentChildren }) {
  const [failure, forget] = useErrorBoundary();
  const { page, id } = route.value;
  useEffect(forget, [page, id]);
  return failure ? <Problem error={new ApiError(0, "unknown", t("error.page"))} retry={forget} /> : <>{children}</>;
}

/** The tab's name says which page it is. */
function useTitle(): void {
  const { page, id } = route.value;
  const lang = language.value === "zh" ? "zh-CN" : "en";
  useEffect(() => {
    document.title = page === "job" ? `${id} · baleen` : "baleen";
    document.documentElement.lang = lang;
  }, [page, id, lang]);
}

export function App() {
  useTitle();
  return (
    <>
      <Header />
      {!reachable.value && <p class="banner" role="alert">{t("app.unreachable")}</p>}
      <main id="main" tabIndex={-1} data-page={route.value.page || "mine"}>
        <Guarded><Page /></Guarded>
      </main>
      <Toasts />
      <Confirmation />
      <Help />
      <LiveRegion />
    </>
  );
}
