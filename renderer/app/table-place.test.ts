import { expect, it } from "vitest";
import { columnsIn } from "./table-place.tsx";

it("remembers columns, and none where one is named that is not there", () => {
  const names = ["plate", "site", "changed"];
  expect(columnsIn("changed,plate", names)).toEqual(["plate", "changed"]);
  expect(columnsIn("", names)).toEqual([]);
  expect(columnsIn("plate,colour", names)).toBeNull();
});
