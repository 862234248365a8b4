// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { JobDetail } from "./job-detail.tsx";

const ID = "adb34513-92dc-54b1-a36a-c579b413d06f";
const row = {
  ...{ id: ID, organization_id: "o", job_number: "J-1", claim_number: "LRM-7", external_id: "est:9" },
  ...{ plate_number: "QJC953", plate_state: null, chassis_number: "7A8DK0S1", parts: 0 },
  ...{ site: { id: "s", name: "Penrose", currency_code: "NZD" }, work_provider: { id: "w", name: "Longreach" } },
  ...{ procurements: { order_requested: 0, order_confirmed: 0, cancelled: 0 } },
  ...{ created_at: "2026-11-23T10:00:00.000Z", updated_at: "2026-11-23T10:00:00.000Z" },
};
const credential = {
  ...{ integration_id: "i", organization_id: "o", organization_name: "Tarn", scope: "repairer", preloaded: true },
  api_key: "sbx_1",
};
/** For each partner call, whether it is marked as the explorer's own read. */
let observed: boolean[] = [];

beforeEach(() => {
  takeToken("token");
  observed = [];
  vi.stubGlobal("fetch", async (url: string, { headers }: { headers: Record<string, string> }) => {
    if (url.startsWith("/api/")) observed.push(headers["x-sandbox-observer"] === "token");
    if (url.endsWith("jobs.list")) return Response.json({ items: [row], total: 1 });
    if (url.endsWith("credentials.list")) return Response.json({ items: [credential] });
    if (url.endsWith("jobs.get")) return Response.json({ id: ID, images: [], claim_number: "LRM-7" });
    if (url.endsWith("organizations.list"))
      return Response.json({ items: [{ id: "o", name: "Tarn", scope: "repairer" }] });
    return Response.json({ items: [] });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows each field of a job once", async () => {
  show(<JobDetail id={ID} tab="overview" />);
  const job = await screen.findByRole("article", { name: "Job J-1" });
  await within(job).findByText("This job has no parts.");
  for (const said of ["J-1", "QJC953", "LRM-7", "est:9", "7A8DK0S1", "Penrose", "Longreach"])
    expect(within(job).getAllByText(said)).toHaveLength(1);
});

it("says that a mistyped ID matches no job", async () => {
  show(<JobDetail id="nope" tab="overview" />);
  await screen.findByText("Job not found in this world");
});

it("says of a job without calls that it is part of the seed data", async () => {
  show(<JobDetail id={ID} tab="trace" />);
  await screen.findByText(/^This job is part of the seed data, or its calls were deleted by retention\./);
});

it("shows a job’s JSON from the explorer’s own read, which isn't recorded", async () => {
  show(<JobDetail id={ID} tab="json" />);
  expect((await screen.findByRole("region", { name: "response, JSON" })).textContent).toContain("LRM-7");
  expect(observed.length).toBeGreaterThan(0);
  expect(observed).not.toContain(false);
});
