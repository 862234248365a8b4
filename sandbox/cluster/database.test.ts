import { expect, test } from "vitest";
import { unencrypted } from "./database.ts";

test.each([
  ["postgres://me:s3cret@db.example.com/box", true],
  ["postgres://me:s3cret@10.0.0.7:5433/box?sslmode=disable", true],
  ["postgres://me:s3cret@db.example.com/box?sslmode=verify-full", false],
  ["postgres://me:s3cret@localhost/box", false],
  ["postgres://me:s3cret@127.0.0.1/box", false],
  ["postgres://me:s3cret@[::1]:5432/box", false],
  ["postgres://me:s3cret@%2Frun%2Fpostgresql/box", false],
])("warns for %s about an unencrypted connection: %s", (url, isSaid) => {
  const warning = unencrypted(url);
  expect(warning !== null).toBe(isSaid);
  expect(String(warning)).not.toMatch(/s3cret|me:/);
  if (isSaid) expect(warning).toContain("sslmode=verify-full");
});
