import { t } from "./i18n";
import { route } from "./route";

export function App() {
  return (
    <>
      <header class="bar">
        <strong>{t("app.name")}</strong>
        <nav aria-label={t("nav.label")}>
          <a href="#/">{t("nav.mine")}</a>
          <a href="#/timeline">{t("nav.timeline")}</a>
        </nav>
      </header>
      <main data-page={route.value.page} />
    </>
  );
}
