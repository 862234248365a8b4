import { IconKey, IconKeyOff } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { plural } from "../../../lib/formatting.ts";
import type { BasketChoice } from "./use-choice.ts";

/** Whether the supplier's orders can be confirmed here, and why not. */
const Confirming = ({ can, name }: { can: boolean; name: string }) => (
  <span
    className={`row row-1 t11 jobs-confirming${can ? " can" : ""}`}
    title={
      can
        ? `The sandbox holds a key of ${name}: its orders can be confirmed here`
        : `Only ${name} can confirm its orders, and the sandbox holds no key of it. Install an integration for it to confirm here.`
    }
  >
    <Icon of={can ? IconKey : IconKeyOff} size={12} />
    <span className="el">{can ? "can be confirmed here" : "no key here to confirm"}</span>
  </span>
);

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
              {offers.some(({ partIds }) => partIds.every((part) => choice.openPartIds.includes(part))) && (
                <button
                  type="button"
                  className="lnk t11"
                  onClick={() => choice.chooseAllOf(id)}
                  aria-label={`Choose all offers of ${name}`}
                  title={`Choose all offers of ${name} for ${choice.openPartIds.length < rows.length ? "parts not ordered yet" : "all parts"}`}
                >
                  all
                </button>
              )}
            </span>
            <Confirming can={confirmable.has(id)} name={name} />
          </th>
        ))}
      </tr>
    </thead>
  );
};
