// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ACCESS_ENDED } from "../../../sandbox/contract/access.ts";
import type { SignIn } from "../../kernel/session/sign-in.ts";
import { show } from "../../testing/shown.tsx";
import { SignedOut, SignedOutDialog } from "./signed-out.tsx";

const window = vi.hoisted(() => ({ signIn: { is: "off" } as SignIn, hasEnded: false }));
vi.mock("../../kernel/session/sign-in.ts", async (original) => ({
  ...(await original<object>()),
  useSignIn: () => window.signIn,
}));
vi.mock("../../lib/session.ts", async (original) => ({
  ...(await original<object>()),
  hasAccessEnded: () => window.hasEnded,
}));

afterEach(cleanup);

/** Shows the page without a token. @returns its text */
const page = (signIn: SignIn, hasEnded = false) => {
  Object.assign(window, { signIn, hasEnded });
  cleanup();
  show(<SignedOut />);
  return screen.getByRole("main").textContent;
};

it("says why the window has no token, and what to do", () => {
  expect(page({ is: "off" })).toContain("This window has no valid token. The service may have restarted");
  expect(page({ is: "off" })).toContain("Open the URL the service printed when it started.");
  expect(page({ is: "nobody" })).toContain("Sign in to open this sandbox.");
  expect(page({ is: "failed" })).toContain("Signing in doesn’t work right now.");
  expect(page({ is: "refused", message: "No access for eve@example.com." })).toContain(
    "No access for eve@example.com.",
  );
  expect(page({ is: "off" }, true)).toContain(ACCESS_ENDED);
});

it("says the same over a page that loses its token", () => {
  Object.assign(window, { signIn: { is: "off" }, hasEnded: false });
  show(<SignedOutDialog opened />);
  expect(screen.getByRole("dialog", { name: "Your token is no longer valid" }).textContent).toContain(
    "The service restarted with a new control token. This window continues automatically. Your input is kept.",
  );
  cleanup();
  window.hasEnded = true;
  show(<SignedOutDialog opened />);
  expect(screen.getByRole("dialog", { name: "Access ended" }).textContent).toContain(ACCESS_ENDED);
});
