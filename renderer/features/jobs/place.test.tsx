// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { JobRow } from "../../../sandbox/contract/control/rows.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { NewJobDialog } from "./form/job-dialogs.tsx";
import { Place } from "./place.tsx";

const job = (job_number: string, updated_at: string) =>
  ({
    ...{ id: job_number, organization_id: "o", job_number, claim_number: null, external_id: null, parts: 0 },
    ...{ plate_number: null, plate_state: null, chassis_number: null, work_provider: null },
    ...{ site: { id: "s", name: "Penrose", currency_code: "NZD" }, created_at: updated_at, updated_at },
    procurements: { order_requested: 0, order_confirmed: 0, cancelled: 0 },
  }) as unknown as JobRow;
/** The service sorts: these are its responses. */
const answers: Readonly<Record<string, readonly JobRow[]>> = {
  "updated desc": [job("J-2", "2026-11-23T12:00:00Z"), job("J-3", "2026-11-23T11:00:00Z")],
  "job_number asc": [job("J-1", "2026-11-23T10:00:00Z"), job("J-2", "2026-11-23T12:00:00Z")],
  "job_number desc": [job("J-3", "2026-11-23T11:00:00Z"), job("J-2", "2026-11-23T12:00:00Z")],
};

beforeEach(() => {
  takeToken("token");
  window.history.replaceState(null, "", "/jobs");
  vi.stubGlobal("fetch", async (url: string, { body }: { body: string }) => {
    const { sort, direction } = JSON.parse(body) as Record<string, string>;
    const items = url.endsWith("jobs.list") ? (answers[`${sort} ${direction}`] ?? []) : [];
    return Response.json({ items, total: items.length, next_cursor: null });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("sorts by the clicked header, reverses on a second click, and keeps it in the address", async () => {
  show(<Place id={undefined} tab={undefined} />);
  const head = (name: string) => screen.getByRole("columnheader", { name: new RegExp(`^${name}`) });
  const click = (name: string) => fireEvent.click(within(head(name)).getByRole("button"));
  const expectFirst = (number: string) =>
    waitFor(() => expect(screen.getAllByRole("link", { name: /^J-\d/ })[0]?.textContent).toContain(number));
  await expectFirst("J-2");
  expect(head("Last changed").getAttribute("aria-sort")).toBe("descending");

  click("Job number");
  await expectFirst("J-1");
  expect(window.location.search).toBe("?sort=job_number&direction=asc");
  expect(head("Job number").getAttribute("aria-sort")).toBe("ascending");
  expect(head("Last changed").getAttribute("aria-sort")).toBe("none");

  click("Job number");
  await expectFirst("J-3");
  expect(window.location.search).toBe("?sort=job_number");
  expect(head("Job number").getAttribute("aria-sort")).toBe("descending");
});

it("says in the form of a new job why there are no sites to choose from", async () => {
  const keyed = {
    scope: "repairer",
    api_key: "sbx_1",
    integration_id: "i",
    organization_id: "o",
    organization_name: "Rowe",
  };
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.includes("/api/"))
      return Response.json({ type: "internal_error", message: "The disk is full." }, { status: 500 });
    return Response.json({
      items: url.endsWith("credentials.list") ? [keyed] : [],
      policies: {},
      total: 0,
      next_cursor: null,
    });
  });
  show(<NewJobDialog opened onClose={() => undefined} />);
  await screen.findByText("Couldn’t load the sites. The disk is full.");
  screen.getByText("Couldn’t load the insurers. The disk is full.");
});
