import { expect, test } from "vitest";
import { SEED_VERSION, seedFingerprint } from "../template.ts";
import { buildSeedWorld } from "./seed-world.ts";

test("the seed's version is derived from its content, so that no data folder copies an older template", () => {
  expect(SEED_VERSION).toBe(seedFingerprint(buildSeedWorld()));
});
