import { beforeEach } from "vitest";

// Tests of a worker share one window, so remove the previous test's address and stored choices.
beforeEach(() => {
  window.history.replaceState(null, "", "/");
  window.localStorage.clear();
  window.sessionStorage.clear();
});
