import fs from "node:fs";
import path from "node:path";
import { Check } from "typebox/value";
import { expect, test } from "vitest";
import { controlOperations } from "../contract/control/all-operations.ts";
import { tracesGet } from "../contract/control/operations.ts";
import { ReceiverBehaviour } from "../contract/control/receiver-operations.ts";
import { defaultRetention, retentionBounds, retentionGet, retentionSet } from "../contract/control/world-operations.ts";
import { drillNames } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import { eventTypes } from "../contract/event-types.ts";
import { Envelope } from "../contract/events.ts";

const DOCS = path.join(import.meta.dirname, "..", "..", "docs");
const text = fs.readFileSync(path.join(DOCS, "webhooks.md"), "utf8");

test("the partners' page lists every declared drill", () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| (.+) \| (\d{3})(?: `(\w+)`)? \|$/gm)].map((row) => row.slice(1));
  expect(rows).toEqual(
    drillNames.map((drill) => {
      const { sends, expects } = drills[drill];
      return [drill, sends, String(expects.status), expects.reason ?? undefined];
    }),
  );
});

test("names the mistake of each drill that finds one", () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map((row) => `${row[1]} ${row[2]}`);
  const found = drillNames.flatMap((drill) => drills[drill].mistake?.replace(/^/, `${drill} `) ?? []);
  expect(found).toHaveLength(5);
  expect(rows).toEqual(expect.arrayContaining(found));
});

test("has a valid envelope, all event types, and all configurable behaviours", () => {
  const envelope: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? "null");
  expect(Check(Envelope, envelope)).toBe(true);
  expect(Object.keys(envelope ?? {})).toEqual(Object.keys(Envelope.properties));
  for (const type of eventTypes) expect(text).toContain(`| \`${type}\` |`);
  const behaviours = /\| behaviour \| \|\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? "";
  const named = [...behaviours.matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1]);
  // `status` is documented with its `answer` value.
  expect([...named, "status"].toSorted()).toEqual(Object.keys(ReceiverBehaviour.properties).toSorted());
});

test("names every operation of drills, receivers and the test receiver", () => {
  const ids = controlOperations.map(({ id }) => id).filter((id) => /^(drills|receivers|sink)\./.test(id));
  expect(ids.length).toBeGreaterThan(5);
  for (const id of ids) expect(text, id).toContain(`\`${id}`);
});

test("states the declared retention, and names the operations that change and show it", () => {
  const { max_age_hours, max_megabytes } = defaultRetention;
  expect(text).toContain("attempts for a week and up to 256 MiB");
  expect({ max_age_hours, max_megabytes }).toEqual({ max_age_hours: 7 * 24, max_megabytes: 256 });
  expect(text).toContain("(1 hour to ten years, 1 MiB to 64 GiB)");
  expect(retentionBounds).toMatchObject({
    max_age_hours: { minimum: 1, maximum: 10 * 365 * 24 },
    max_megabytes: { minimum: 1, maximum: 64 * 1_024 },
  });
  for (const { id } of [retentionGet, retentionSet, tracesGet]) expect(text, id).toContain(`\`${id}`);
});

test("every linked file exists", () => {
  for (const page of ["webhooks.md", "verify-a-webhook/README.md"]) {
    const file = path.join(DOCS, page);
    const links = [...fs.readFileSync(file, "utf8").matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(
      (link) => link[1] ?? "",
    );
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) expect(fs.existsSync(path.join(path.dirname(file), link)), link).toBe(true);
  }
});
