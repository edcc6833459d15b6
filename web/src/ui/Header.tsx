import type { ComponentChildren } from "preact";
import { language, setLanguage, t, type Key } from "../i18n";
import { hashOf, route, type Page } from "../route";
import { browserZone, canWrite, chosenZone, isSignedIn, session, signOut, siteZone, theme, zone, type Theme } from "../state";
import { Icon } from "./Icon";
import { showHelp } from "./Help";
import { Text } from "./Text";
import { toastError } from "./Toast";

interface Tab {
  page: Page;
  label: Key;
  isShown: () => boolean;
}

const always = (): boolean => true;
export const TABS: Tab[] = [
  { page: "", label: "nav.mine", isShown: always },
  { page: "timeline", label: "timeline.title", isShown: always },
  { page: "nodes", label: "nav.nodes", isShown: always },
  { page: "reports", label: "nav.reports", isShown: () => isSignedIn.value },
  { page: "submit", label: "nav.submit", isShown: () => canWrite.value },
  { page: "admin", label: "nav.admin", isShown: () => canWrite.value },
];

function Nav() {
  return (
    <nav aria-label={t("nav.label")}>
      {TABS.filter((tab) => tab.isShown()).map(({ page, label }) => (
        <a key={page} href={hashOf(page)} aria-current={route.value.page === page ? "page" : undefined}>{t(label)}</a>
      ))}
    </nav>
  );
}

/** The two zones that matter first, then all that the browser knows. */
function ZoneChoice() {
  const near = [...new Set([siteZone.value, browserZone, "UTC"])];
  const all = Intl.supportedValuesOf("timeZone").filter((name) => !near.includes(name));
  const label = (name: string): string => {
    if (name === siteZone.value) return t("zone.site", { zone: name });
    return name === browserZone ? t("zone.yours", { zone: name }) : name;
  };
  const option = (name: string): ComponentChildren => <option key={name} value={name}>{label(name)}</option>;
  return (
    <select class="zone" aria-label={t("zone.label")} title={t("zone.label")} value={zone.value}
      onChange={({ currentTarget: { value } }) => (chosenZone.value = value === siteZone.value ? "" : value)}>
      {near.map(option)}
      {!near.includes(zone.value) && !all.includes(zone.value) && option(zone.value)}
      <optgroup label={t("zone.all")}>{all.map(option)}</optgroup>
    </select>
  );
}

const NEXT: Record<Theme, Theme> = { auto: "dark", dark: "light", light: "auto" };
const THEME_ICONS = { auto: "auto", dark: "moon", light: "sun" } as const;

function ThemeButton() {
  const label = t("themes.label", { theme: t(`theme.${theme.value}`) });
  return (
    <button type="button" class="quiet" title={label} aria-label={label} onClick={() => (theme.value = NEXT[theme.value])}>
      <Icon name={THEME_ICONS[theme.value]} />
    </button>
  );
}

function Who() {
  const who = session.value;
  if (!who?.user) return who ? <a class="button" href="#/in">{t("signin.do")}</a> : null;
  return (
    <details class="menu">
      <summary><Text value={who.user} length={16} /></summary>
      <div class="menu-body">
        <p>{t("who.scope", { scope: t(`scope.${who.scope ?? "read"}`) })}</p>
        <button type="button" onClick={() => void signOut().catch(toastError)}>{t("who.sign_out")}</button>
      </div>
    </details>
  );
}

export function Header() {
  return (
    <header class="bar">
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>
        {t("nav.skip")}
      </a>
      <a class="brand" href={hashOf("")} title={location.host}>
        <img src="./icon.svg" alt="" width="22" height="22" /> baleen
      </a>
      {session.value && <Nav />}
      <div class="tools">
        <ZoneChoice />
        <button type="button" class="quiet" lang={language.value === "zh" ? "en" : "zh"} aria-label={t("language.other_label")}
          onClick={() => void setLanguage(language.value === "zh" ? "en" : "zh").catch(toastError)}>
          {t("language.other")}
        </button>
        <ThemeButton />
        <button type="button" class="quiet" aria-label={t("help.title")} title={t("help.title")} onClick={showHelp}>
          <Icon name="help" />
        </button>
        <Who />
      </div>
    </header>
  );
}
