import { expect, it } from "vitest";
import type { StateChange } from "../contract/control/rows.ts";
import { mergeChanges } from "./merge-changes.ts";

const order = (id: string): StateChange => ({
  ...{ entity: "procurement", id, label: id, change: "inserted", job_id: "j", before: null, after: { id } },
});
const parts = (part: string, id = "j"): StateChange => ({
  ...{ entity: "parts", id, label: `parts of ${id}`, change: "updated", job_id: id },
  ...{ before: [{ part, status: "estimated" }], after: [{ part, status: "ordered" }] },
});

it("combines the parts of a job that several orders of one call changed", () => {
  const merged = mergeChanges([order("1"), parts("a"), order("2"), parts("b")]);
  expect(merged.map(({ entity, id }) => `${entity} ${id}`)).toEqual(["procurement 1", "procurement 2", "parts j"]);
  expect(merged[2]).toMatchObject({
    before: [{ part: "a" }, { part: "b" }],
    after: [
      { part: "a", status: "ordered" },
      { part: "b", status: "ordered" },
    ],
  });
});

it("keeps single changes, other jobs and other kinds as they are", () => {
  const inserted = { ...parts("c"), change: "inserted" as const, before: null };
  const changes = [order("1"), inserted, parts("a"), parts("b", "k")];
  expect(mergeChanges(changes)).toEqual(changes);
});
