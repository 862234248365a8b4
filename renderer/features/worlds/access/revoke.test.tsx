// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { Access } from "./access.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const token = { id: "t", name: "Dora", world: "acme", created_at: "2026-11-23T10:00:00.000Z", expires_at: null };

/** Returns what the confirmation of a revocation says. */
const question = async (more: object) => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [{ ...token, ...more }] }));
  show(<Access world="acme" />);
  fireEvent.click(await screen.findByRole("button", { name: /^Revoke.*Dora$/ }));
  const { textContent } = await screen.findByRole("dialog", { name: "Revoke the access of Dora" });
  cleanup();
  return textContent;
};

it("a revocation says what stops working, and that keys stay valid", async () => {
  expect(await question({ scope: "view", link_until: null })).toContain(
    "Dora can no longer open acme: pages and programs with this token stop working at once. You can’t undo this.",
  );
  expect(await question({ scope: "act", link_until: null })).toContain("API keys that were read with it stay valid.");
  expect(await question({ scope: "act", link_until: "2999-01-01T00:00:00.000Z" })).toContain(
    "The link stops working: Dora can no longer open acme with it. You can’t undo this.",
  );
});
