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
});

const showWith = (subscriptions: readonly object[]) => {
  takeToken("token");
  const none = { total: 0, total_is_minimum: false };
  const answers: Readonly<Record<string, unknown>> = {
    "subscriptions.list": { items: subscriptions },
    "world.summary": { jobs: none, parts: none, baskets: none, procurements: { by_status: {} } },
  };
  vi.stubGlobal("fetch", async (url: string) => Response.json(answers[url.split("/").at(-1) ?? ""] ?? { items: [] }));
  show(<LifecycleMap />);
};
const notified = async (side: string) => {
  const label = await screen.findByText(`${side} notified`);
  return within(label.parentElement ?? document.body);
};

it("counts what each side was sent, with ways to what waits and what failed", async () => {
  showWith([subscription("repairer", 10, 1, 2), subscription("repairer", 5, 0, 0), subscription("supplier", 7, 0, 0)]);
  const repairer = await notified("Repairer");
  expect((await repairer.findByRole("link", { name: "2 failed" })).getAttribute("href")).toBe(
    "/webhooks?status=failed",
  );
  expect(repairer.getByRole("link", { name: "1 pending" }).getAttribute("href")).toBe("/webhooks?status=pending");
  expect(repairer.getByText("15")).toBeTruthy();
  const supplier = await notified("Supplier");
  expect(supplier.getByText("7")).toBeTruthy();
  expect(supplier.getByText("all delivered")).toBeTruthy();
});

it("says of a side without a subscription that it has none, and not that all is delivered", async () => {
  showWith([subscription("repairer", 0, 0, 0)]);
  expect(await (await notified("Supplier")).findByText("no subscription yet")).toBeTruthy();
  expect((await notified("Repairer")).getByText("nothing sent yet")).toBeTruthy();
});
