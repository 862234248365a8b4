import { expect, test } from "vitest";
import { newKeys } from "../host/data-folder.ts";
import type { AccessStore } from "../storage/access-store.ts";
import type { SharedDatabase } from "./database.ts";
import { SharedAccess } from "./shared-access.ts";

test("a node that takes many worlds over looks once for all of them, and again for those that come later", async () => {
  const begun: (() => void)[] = [];
  const run = () => new Promise((resolve) => begun.push(() => resolve([])));
  const access = new SharedAccess({ run } as unknown as SharedDatabase, {} as AccessStore, newKeys());
  const many = Array.from({ length: 100 }, () => access.pull());
  await new Promise(setImmediate);
  const later = Array.from({ length: 100 }, () => access.pull());
  begun[0]?.();
  await Promise.all(many);
  await new Promise(setImmediate);
  expect(begun.length).toBe(2);
  begun[1]?.();
  await Promise.all(later);
  expect(begun.length).toBe(2);
});
