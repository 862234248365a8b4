// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import { show } from "../../../testing/shown.tsx";
import { BasketGrid } from "./basket-grid.tsx";
import { basketTable } from "./basket-table.ts";
import { byPrice, chooseOffers } from "./choosing.ts";
import { useChoice } from "./use-choice.ts";

afterEach(cleanup);

const count = 5_000;
const parts = Array.from({ length: count }, (_, index) => ({
  ...{ id: `p${index}`, description: `Part ${index}`, status: "estimated" },
  ...{ external_id: null, ghca_id: null, note: null },
})) as readonly Part[];
const suppliers = ["M", "H", "C", "S"];
const basket = {
  suppliers: suppliers.map((id) => ({ business_id: id, name: `Supplier ${id}` })),
  offers: parts.flatMap(({ id }, index) =>
    suppliers.map((supplier, nth) => ({
      ...{ sellable_id: `${supplier}:${id}`, supplier_business_id: supplier, name: id, quantity: 1 },
      ...{ job_part_ids: [id], trade_price: `${index + nth}.00`, condition: null },
    })),
  ),
};

const Basket = () => {
  const choice = useChoice("job", basketTable(parts, basket));
  return (
    <BasketGrid choice={choice}>
      <button
        type="button"
        onClick={() => choice.choose(chooseOffers(choice.table, [...choice.table.parts.keys()], byPrice))}
      >
        choose
      </button>
    </BasketGrid>
  );
};

it("a basket of 5,000 parts renders only visible rows, and all can be chosen at once", () => {
  show(<Basket />);
  const grid = screen.getByRole("grid");
  expect(grid.getAttribute("aria-rowcount")).toBe("5001");
  expect(grid.querySelectorAll("tr").length).toBeLessThan(100);
  screen.getByRole("button", { name: "choose" }).click();
  return screen.findByText("5,000 of 5,000 parts chosen");
});
