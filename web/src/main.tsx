import { render } from "preact";
import { App } from "./App";
import { loadLanguage } from "./i18n";
import { startState } from "./state";
import { startKeys } from "./ui/Help";
import "./ui/theme.css";
import "./ui/parts.css";
import "./pages/pages.css";

const root = document.getElementById("app");
if (root) {
  startState();
  void loadLanguage().then(() => {
    startKeys();
    render(<App />, root);
  });
}
