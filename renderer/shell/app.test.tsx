// @vitest-environment jsdom
import { QueryClient } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { takeToken } from "../lib/session.ts";
import { setWorldAccess } from "../lib/world-access.ts";
import "../testing/fresh-window.ts";
import { show } from "../testing/shown.tsx";
import { App } from "./app.tsx";

afterEach(cleanup);

it("replaces a world that the token doesn't open, whether it exists or not", () => {
  show(null);
  takeToken("sbw_1");
  setWorldAccess({ name: "Acme GmbH", world: "acme", scope: "view", expires_at: null });
  window.history.replaceState(null, "", "/jobs?world=never-made");
  render(<App client={new QueryClient()} claim={null} />);
  screen.getByRole("heading", { level: 1, name: "You don’t have access to this world" });
  expect(screen.getByRole("main").textContent).toContain("Your token only opens acme.");
  expect(screen.getByRole("link", { name: "Open acme" }).getAttribute("href")).toBe("/?world=acme");
});
