import { controlToken, takeToken } from "../../lib/session.ts";
import { deleteAll, keep, type StorageArea } from "../../lib/storage.ts";

const DELETED_AT = "explorer.forgotten";

const deleteData = (...of: readonly StorageArea[]): void => {
  const token = controlToken();
  of.forEach(deleteAll);
  // The window needs its token to continue.
  if (token !== null) takeToken(token);
};

/** Deletes the explorer's own data (drafts, histories and choices) in this window and all others. */
export const deleteOwnStorage = (): void => {
  deleteData("window", "browser");
  keep("browser", DELETED_AT, String(Date.now()));
};

/** Deletes this window's data when another window deletes its own. */
export const followDeletion = (): void =>
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== DELETED_AT || newValue === null) return;
    deleteData("window");
    window.location.replace("/");
  });
