import { State } from "../../../components/state.tsx";
import type { BasketRow } from "./basket-table.ts";

/** A part as the head of its row. */
export const PartHead = ({ row: { part, quantity } }: { row: BasketRow }) => (
  <th scope="row">
    <span className="row">
      <span className="el grow" title={part.description}>
        {part.description || <span className="t3">no description</span>}
      </span>
      {quantity !== null && quantity !== 1 && (
        <span className="t12 t3" title="As the offers state it: a part does not carry its quantity back">
          × {quantity}
        </span>
      )}
    </span>
    <span className="row jobs-part-sub">
      <span className="m11 t3 el grow">{part.ghca_id ?? "no ghca_id"}</span>
      {part.status === "ordered" && <State of="ordered" />}
    </span>
  </th>
);
