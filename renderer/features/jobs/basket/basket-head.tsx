import { IconKey } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { plural } from "../../../lib/formatting.ts";
import type { BasketChoice } from "./use-choice.ts";

/** The suppliers across: what each offers, and whether its orders can be confirmed here. */
export const BasketHead = ({ choice, confirmable }: { choice: BasketChoice; confirmable: ReadonlySet<string> }) => {
  const { columns, rows } = choice.table;
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="t12 t3">{plural(rows.length, "part")}</span>
        </th>
        {columns.map(({ id, name, offers, parts }) => (
          <th key={id} scope="col" className="supplier">
            <span className="row jobs-supplier">
              <SideGlyph side="supplier" labelled />
              <span title={name}>{name}</span>
            </span>
            <span className="row jobs-supplier-sub">
              <span className="el grow t12 t3">
                {plural(offers.length, "offer")}, {plural(parts, "part")}
              </span>
              {confirmable.has(id) && (
                <span
                  className="jobs-key"
                  title={`The sandbox holds a key of ${name}: its orders can be confirmed here`}
                >
                  <Icon of={IconKey} size={14} />
                  <span className="sr">can be confirmed here</span>
                </span>
              )}
              {choice.openPartIds.length > 0 && (
                <button
                  type="button"
                  className="lnk t11"
                  onClick={() => choice.chooseAllOf(id)}
                  aria-label={`Choose all offers of ${name}`}
                  title={`Choose all offers of ${name} for parts not ordered yet`}
                >
                  all
                </button>
              )}
            </span>
          </th>
        ))}
      </tr>
    </thead>
  );
};
