import { beforeEach } from "vitest";

// The tests of a worker have one window: none begins in a world, or with a choice, that another left there.
beforeEach(() => {
  window.history.replaceState(null, "", "/");
  window.localStorage.clear();
  window.sessionStorage.clear();
});
