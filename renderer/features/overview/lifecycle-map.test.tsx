// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { LifecycleMap } from "./lifecycle-map.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const subscription = (scope: string, delivered: number, pending: number, failed: number) => ({
  ...{ id: `${scope}-${delivered}`, scope, delivered, pending, failed, url: "http://127.0.0.1/", created_at: "" },
  failing_since: failed > 0 ? "2026-11-29T10:00:00.000Z" : null,
});

const none = { total: 0, total_is_minimum: false };
const seeded = {
  ...{ from_seed: true, baskets_today: none, offers: { ...none, total: 729 }, oldest_requested_at: null },
  ...{ confirmed_last_hour: none, job_events: none },
};

const showWith = (subscriptions: readonly object[], lifecycle: object = seeded) => {
  takeToken("token");
  const answers: Readonly<Record<string, unknown>> = {
    "subscriptions.list": { items: subscriptions },
    "world.lifecycle": lifecycle,
    "world.summary": { jobs: none, parts: none, baskets: none, procurements: { by_status: {} } },
  };
  vi.stubGlobal("fetch", async (url: string) => Response.json(answers[url.split("/").at(-1) ?? ""] ?? { items: [] }));
  show(<LifecycleMap />);
};
const notified = async (side: string) => {
  const label = await screen.findByText(`${side} notified`);
  return within(label.parentElement ?? document.body);
};

it("counts notifications of each side, with links to pending and failed ones", async () => {
  showWith([subscription("repairer", 10, 1, 2), subscription("repairer", 5, 0, 0), subscription("supplier", 7, 0, 0)]);
  const repairer = await notified("Repairer");
  expect((await repairer.findByRole("link", { name: "2 failed" })).getAttribute("href")).toBe(
    "/webhooks?status=failed",
  );
  expect(repairer.getByRole("link", { name: "1 retrying" }).getAttribute("href")).toBe("/webhooks?status=pending");
  repairer.getByText("15");
  const supplier = await notified("Supplier");
  supplier.getByText("7");
  supplier.getByText("all delivered");
});

it("says that a side has no subscription, instead of all delivered", async () => {
  showWith([subscription("repairer", 0, 0, 0)]);
  await (await notified("Supplier")).findByText("no subscription yet");
  (await notified("Repairer")).getByText("nothing sent yet");
});

it("says “seed data” for an untouched world, else shows recent activity", async () => {
  showWith([]);
  expect(await screen.findAllByText("seed data")).toHaveLength(3);
  cleanup();
  const now = Date.now();
  showWith([], {
    ...{ from_seed: false, baskets_today: { ...none, total: 31 }, offers: { total: 8_000, total_is_minimum: true } },
    ...{ oldest_requested_at: new Date(now - 41 * 60_000).toISOString(), job_events: { ...none, total: 871 } },
    confirmed_last_hour: { ...none, total: 6 },
  });
  await screen.findByText("31 today");
  for (const words of ["8,000+", "6 in the last hour", "41 min ago"]) screen.getByText(words);
  expect(screen.getByText(/repairer\.jobs/).textContent).toBe("repairer.jobs · 871");
});
