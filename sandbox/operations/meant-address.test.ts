import { expect, test } from "vitest";
import { findMeantAddress } from "./meant-address.ts";

test.each([
  ["/api/2026-01/procurements.cancel", "/__extensions/2026-01/procurements.cancel", true],
  ["/__extensions/2026-01/Procurements.Cancel", "/__extensions/2026-01/procurements.cancel", false],
  ["/api//2026-01//businesses.list", "/api/2026-01/businesses.list", false],
  ["/api/2026-01/businesses.list/", "/api/2026-01/businesses.list", false],
])("%s means %s; warns of an extension taken for the contract's: %s", (path, address, warns) => {
  const meant = findMeantAddress(path);
  expect([meant?.address, meant?.remedy.includes("real service")]).toEqual([address, warns]);
});
