import { useEffect, useState } from "preact/hooks";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

/** A browser may refuse to keep anything. */
function stored(): Theme {
  try {
    const value = localStorage.getItem("theme") as Theme | null;
    return value !== null && themes.includes(value) ? value : "system";
  } catch {
    return "system";
  }
}

export function ThemeSwitch() {
  const [theme, set_theme] = useState(stored);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // It lasts as long as the page.
    }
  }, [theme]);
  return (
    <fieldset class="choice">
      <legend class="hidden">Colours</legend>
      {themes.map((each) => (
        <label key={each}>
          <input type="radio" name="theme" checked={theme === each} onChange={() => set_theme(each)} />
          <span>{each}</span>
        </label>
      ))}
    </fieldset>
  );
}
