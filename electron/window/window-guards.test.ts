import { describe, expect, test } from "vitest";
import { isTrustedSender } from "../ipc/trusted-sender.ts";
import { canNavigate, canOpenExternally } from "./navigation-rule.ts";
import { isPermitted } from "./permission-rule.ts";

const explorer = "http://127.0.0.1:4026";

describe("navigation", () => {
  test.each([`${explorer}/`, `${explorer}/#/jobs`, `${explorer}/jobs/1?tab=parts`])(
    "is allowed inside the explorer: %s",
    (url) => {
      expect(canNavigate(url, explorer)).toBe(true);
    },
  );

  test.each([
    "https://example.test/",
    "http://127.0.0.1:4027/",
    "http://localhost:4026/",
    "https://127.0.0.1:4026/",
    "http://127.0.0.1:4026.example.test/",
    "http://127.0.0.1:4026@example.test/",
    "http://name:word@127.0.0.1:4026/",
    "blob:http://127.0.0.1:4026/0b0e5a4c-7a51-4a43-9d0e-1f1d3c5b9a00",
    "file:///etc/passwd",
    "data:text/html,x",
    "javascript:alert(1)",
    "about:blank",
    "",
  ])("is refused elsewhere: %s", (url) => {
    expect(canNavigate(url, explorer)).toBe(false);
  });
});

describe("opening in the operating system", () => {
  test.each(["https://example.test/", "http://127.0.0.1:8787/hook"])("is allowed for web addresses: %s", (url) => {
    expect(canOpenExternally(url)).toBe(true);
  });

  test.each(["file:///etc/passwd", "smb://host/share", "ms-msdt:/id", "javascript:alert(1)", "mailto:a@b.test", ""])(
    "is refused otherwise: %s",
    (url) => {
      expect(canOpenExternally(url)).toBe(false);
    },
  );
});

describe("permissions of a page", () => {
  const page = { origin: explorer, isMainFrame: true };

  test("allow copying for the explorer's own page", () => {
    expect(isPermitted("clipboard-sanitized-write", page, explorer)).toBe(true);
  });

  test("refuse other origins and frames inside the page", () => {
    expect(isPermitted("clipboard-sanitized-write", { ...page, origin: "https://example.test" }, explorer)).toBe(false);
    expect(isPermitted("clipboard-sanitized-write", { ...page, isMainFrame: false }, explorer)).toBe(false);
  });

  test.each([
    "clipboard-read",
    "media",
    "geolocation",
    "notifications",
    "openExternal",
    "fileSystem",
    "usb",
    "unknown",
  ])("refuse everything else: %s", (permission) => {
    expect(isPermitted(permission, page, explorer)).toBe(false);
  });
});

describe("trusted senders of the main process", () => {
  test("include the top frame on the explorer's origin", () => {
    expect(isTrustedSender({ origin: explorer, parent: null }, explorer)).toBe(true);
  });

  test("exclude other origins, inner frames and closed frames", () => {
    expect(isTrustedSender({ origin: "https://example.test", parent: null }, explorer)).toBe(false);
    expect(isTrustedSender({ origin: explorer, parent: {} }, explorer)).toBe(false);
    expect(isTrustedSender(null, explorer)).toBe(false);
  });
});
