// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { Health } from "./health.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("names deliveries that were given up, with a link to them", async () => {
  takeToken("token");
  const answers: Readonly<Record<string, unknown>> = {
    "service.info": { base_url: "http://127.0.0.1:4026", version: "1", deliveries: true },
    "world.summary": { deliveries: { pending: 0, delivered: 10, failed: 2 } },
    "subscriptions.list": { items: [] },
  };
  vi.stubGlobal("fetch", async (url: string) => Response.json(answers[url.split("/").at(-1) ?? ""] ?? {}));
  show(<Health />);
  const link = await screen.findByRole("link", { name: "2 given up" });
  expect(link.getAttribute("href")).toBe("/webhooks?status=failed");
});
