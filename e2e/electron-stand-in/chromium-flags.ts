import path from "node:path";

/** Chromium's flags for its own profile in `userData`, without an initial window. */
export function chromiumFlags(userData: string, switches: ReadonlyMap<string, string>): string[] {
  const port = switches.get("remote-debugging-port");
  return [
    ...(process.env.DISPLAY ? [] : ["--headless=new"]),
    "--remote-debugging-pipe",
    ...(port === undefined ? [] : [`--remote-debugging-port=${port}`]),
    `--user-data-dir=${path.join(userData, "stand-in-chromium")}`,
    "--no-startup-window",
    "--no-sandbox",
    "--test-type",
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-infobars",
    "--disable-back-forward-cache",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-popup-blocking",
    "--disable-features=Translate,MediaRouter,OptimizationHints,HttpsUpgrades",
    "--force-color-profile=srgb",
  ];
}
