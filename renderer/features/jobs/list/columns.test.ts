import { describe, expect, it } from "vitest";
import { columnNames, columnsIn, columnsNamed, usualColumns } from "./columns.tsx";

describe("the columns of the list", () => {
  it("stand in their own order, whichever was chosen first", () => {
    expect(columnsNamed(["changed", "plate"]).map(({ name }) => name)).toEqual(["plate", "changed"]);
  });

  it("come back as they were remembered, also none of them", () => {
    expect(columnsIn(String(usualColumns))).toEqual(usualColumns);
    expect(columnsIn(String(columnNames))).toEqual(columnNames);
    expect(columnsIn("")).toEqual([]);
  });

  it("are the usual ones when what was remembered names another", () => {
    expect(columnsIn("plate,colour")).toBeNull();
  });
});
