import { controlToken, takeToken } from "../../lib/session.ts";
import { forgetAll, type Kept, keep } from "../../lib/storage.ts";

const FORGOTTEN = "explorer.forgotten";

const forget = (...of: readonly Kept[]): void => {
  const token = controlToken();
  of.forEach(forgetAll);
  // Without it this window could not go on.
  if (token !== null) takeToken(token);
};

/** Forgets what the explorer keeps by itself, drafts, histories and choices, in this window and in those beside it. */
export const forgetOwnStorage = (): void => {
  forget("window", "browser");
  keep("browser", FORGOTTEN, String(Date.now()));
};

/** Lets this window forget with the one in which that was asked for. */
export const followForgetting = (): void =>
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== FORGOTTEN || newValue === null) return;
    forget("window");
    window.location.replace("/");
  });
