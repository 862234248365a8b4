import { controlToken, takeToken } from "../../lib/session.ts";
import { forgetAll, keep, type StorageArea } from "../../lib/storage.ts";

const FORGOTTEN = "explorer.forgotten";

const forget = (...of: readonly StorageArea[]): void => {
  const token = controlToken();
  of.forEach(forgetAll);
  // The window needs its token to continue.
  if (token !== null) takeToken(token);
};

/** Deletes the explorer's own data (drafts, histories and choices) in this window and all others. */
export const forgetOwnStorage = (): void => {
  forget("window", "browser");
  keep("browser", FORGOTTEN, String(Date.now()));
};

/** Deletes this window's data when another window deletes its own. */
export const followForgetting = (): void =>
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== FORGOTTEN || newValue === null) return;
    forget("window");
    window.location.replace("/");
  });
