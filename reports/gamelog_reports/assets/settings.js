// Storage on this device, if the browser allows it, and settings for all replays: speed, theme, motion.

const NAME = "gamelog";

// Returns the value that is stored under `name`, if there is one.
export function storedValue(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? undefined;
  } catch {
    return undefined;
  }
}

// Stores `value` under `name`. Returns whether the browser keeps it.
export function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const setting = (name) => storedValue(NAME)?.[name];

export const setSetting = (name, value) => store(NAME, { ...storedValue(NAME), [name]: value });

// Theme and motion follow the system until the user chooses.

const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)"), calm = matchMedia("(prefers-reduced-motion: reduce)");

const darkNow = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";

export const isMotionOn = () => (setting("motion") ?? !calm.matches) === true;

function toggle(act, state, change) {
  const button = document.querySelector(`[data-act=${act}]`), show = () => button.setAttribute("aria-pressed", state());
  show();
  return () => {
    change(!state());
    show();
  };
}

export function settingActions() {
  if (setting("theme")) root.dataset.theme = setting("theme");
  return {
    theme: toggle("theme", darkNow, (wanted) => setSetting("theme", (root.dataset.theme = wanted ? "dark" : "light"))),
    motion: toggle("motion", isMotionOn, (wanted) => setSetting("motion", wanted)),
  };
}
