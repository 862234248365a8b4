import { describe, expect, it } from "vitest";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { mergedPages, type RowPage } from "./merge-rows.ts";

const row = (id: string, minute: number, number: string | null = `J-${id}`): JobRow => ({
  id,
  organization_id: "organization",
  job_number: number,
  external_id: null,
  claim_number: null,
  plate_number: `PLATE${id}`,
  plate_state: null,
  chassis_number: null,
  site: { id: "site", name: "Site" },
  work_provider: null,
  parts: 0,
  procurements: { order_requested: 0, order_confirmed: 0, cancelled: 0 },
  created_at: "2026-03-01T00:00:00.000Z",
  updated_at: `2026-03-01T00:${String(minute).padStart(2, "0")}:00.000Z`,
});
const page = (items: readonly JobRow[], next_cursor: string | null, total: number): RowPage => ({
  items,
  next_cursor,
  total,
  total_is_minimum: false,
});
const counted = (total: number) => ({ total, total_is_minimum: false });
const newestFirst = { sort: "updated", direction: "desc" } as const;
const ids = (pages: readonly RowPage[]) => pages.flatMap(({ items }) => items.map(({ id }) => id)).join("");

describe("rows that change while they are listed", () => {
  const pages = [page([row("d", 40), row("c", 30)], "1", 5), page([row("b", 20)], "2", 5)];

  it("move to where they belong, and take their new values", () => {
    const now = mergedPages(pages, { rows: [{ ...row("b", 50), parts: 3 }], gone: [], ...counted(5) }, newestFirst);
    expect([ids(now), now[0]?.items[0]?.parts]).toEqual(["bdc", 3]);
  });

  it("come in where they belong, several at once, and the count is the service's", () => {
    const came = { rows: [row("x", 35), row("y", 60), row("z", 61)], gone: [], ...counted(8) };
    const now = mergedPages(pages, came, newestFirst);
    expect([ids(now), now[0]?.total]).toEqual(["zydxcb", 8]);
  });

  it("are left for a later page when they belong behind the last one", () => {
    const late = { rows: [row("a", 10)], gone: [], ...counted(6) };
    expect(ids(mergedPages(pages, late, newestFirst))).toBe("dcb");
    const whole = [page([row("d", 40)], null, 1)];
    expect(ids(mergedPages(whole, late, newestFirst))).toBe("da");
  });

  it("go", () => {
    expect(ids(mergedPages(pages, { rows: [], gone: ["c", "unknown"], ...counted(4) }, newestFirst))).toBe("db");
  });

  it("fill a list that was empty", () => {
    expect(ids(mergedPages([page([], null, 0)], { rows: [row("a", 1)], gone: [], ...counted(1) }, newestFirst))).toBe(
      "a",
    );
  });

  it("keep the pages' ends, so that the list goes on where it ended", () => {
    const now = mergedPages(pages, { rows: [row("x", 60)], gone: [], ...counted(6) }, newestFirst);
    expect(now.map(({ next_cursor }) => next_cursor)).toEqual(["1", "2"]);
  });

  it("keep to the order by number, where none comes first", () => {
    const byNumber = [page([row("n", 1, null), row("b", 1, "J-2")], null, 2)];
    const order = { sort: "job_number", direction: "asc" } as const;
    const came = { rows: [row("a", 1, "J-1"), row("c", 1, "J-3")], gone: [], ...counted(4) };
    expect(ids(mergedPages(byNumber, came, order))).toBe("nabc");
  });
});
