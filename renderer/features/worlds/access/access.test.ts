import { expect, it } from "vitest";
import { worldFor } from "./invite.tsx";
import { lifetimeEnd } from "./words.ts";

it.each([
  ["Acme GmbH", "acme-gmbh"],
  ["  Borchert & Söhne  ", "borchert-sohne"],
  ["株式会社", ""],
  ["A".repeat(80), "a".repeat(64)],
])("suggests for %j the world %j", (name, world) => {
  expect(worldFor(name)).toBe(world);
});

it("a token ends after whole days, or never", () => {
  expect([lifetimeEnd("never", 0), lifetimeEnd("7", 0)]).toEqual([null, "1970-01-08T00:00:00.000Z"]);
});
