// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { show } from "../../../testing/shown.tsx";
import { FieldLine } from "./field-line.tsx";

afterEach(cleanup);

it("says which side has a field that the other hasn't", () => {
  const row = {
    ...{ path: "reference", name: "reference", seen: { repairer: "TRC-1", supplier: undefined } },
    ...{ only: "repairer" as const, differs: false, children: [] },
  };
  show(
    <table>
      <tbody>
        <FieldLine
          row={row}
          unseen={{ repairer: undefined, supplier: undefined }}
          context={{ jobNumber: null, currency: null, sourceNames: new Map() }}
          predictions={[]}
          changes={[]}
        />
      </tbody>
    </table>,
  );
  expect(screen.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^TRC-1.*only buyer$/),
    "not in the supplier view",
  ]);
});
