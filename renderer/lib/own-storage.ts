import { controlToken, takeToken } from "./session.ts";

const FORGOTTEN = "explorer.forgotten";

const storages = (): Storage[] => {
  try {
    return [window.localStorage, window.sessionStorage];
  } catch {
    return [];
  }
};

const clearAll = (): void => {
  const token = controlToken();
  for (const storage of storages()) storage.clear();
  // Without it this window could not go on.
  if (token !== null) takeToken(token);
};

/** Forgets what the explorer keeps by itself, drafts, histories and choices, in this window and in those beside it. */
export const forgetOwnStorage = (): void => {
  clearAll();
  try {
    window.localStorage.setItem(FORGOTTEN, String(Date.now()));
  } catch {
    // Storage can be denied; then nothing was kept either.
  }
};

/** Lets this window forget with the one in which that was asked for. @returns what ends that */
export const followForgetting = (): (() => void) => {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key !== FORGOTTEN || newValue === null) return;
    const token = controlToken();
    window.sessionStorage.clear();
    if (token !== null) takeToken(token);
    window.location.replace("/");
  };
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
};
