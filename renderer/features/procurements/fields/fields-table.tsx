import { IconArrowsMaximize, IconArrowsMinimize, IconTextWrap } from "@tabler/icons-react";
import { IconButton } from "../../../components/button.tsx";
import { Side, sideClass, sideWord } from "../../../components/side.tsx";
import type { Tone } from "../../../components/state.tsx";
import type { Difference } from "../../../lib/diff.ts";
import { plural } from "../../../lib/formatting.ts";
import type { SideSeen, TwoSides } from "../detail/two-sides.ts";
import { isUnseen, UnseenCell } from "../detail/unseen-cell.tsx";
import type { Prediction } from "../next/predictions.ts";
import { useProcurementsUi } from "../procurements-store.ts";
import { FieldLine, ItemLines } from "./field-line.tsx";
import type { FieldRow } from "./field-rows.ts";
import type { ValueContext } from "./field-value.tsx";

interface Props {
  readonly rows: readonly FieldRow[];
  readonly sides: TwoSides;
  readonly context: ValueContext;
  readonly predictions: readonly Prediction[];
  readonly changes: readonly Difference[];
  /** The hue of the state the changes led to. */
  readonly tone: Tone;
  readonly open: ReadonlySet<string>;
  readonly onOpen: (open: ReadonlySet<string>) => void;
}

const SideHead = ({ of: seen }: { of: SideSeen<unknown> }) => (
  <th scope="col" className={sideClass(seen.side)}>
    <div className="row row-1">
      <Side side={seen.side} word={`${sideWord(seen.side)} sees`} />
      <span className="t3 el" title={seen.name}>
        {seen.name}
      </span>
    </div>
    <div className="m11 t3 el">{seen.operation}</div>
  </th>
);

/** Both sides, line by line; an item opens into its own fields. */
export const FieldsTable = ({ rows, sides, context, predictions, changes, tone, open, onOpen }: Props) => {
  const { wrap, toggleWrap } = useProcurementsUi();
  const items = rows.filter((row) => row.children.length > 0);
  const fields = rows.length - items.length;
  const allOpen = items.length > 0 && items.every((item) => open.has(item.path));
  const toggle = (path: string) => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    onOpen(next);
  };
  const lineCount =
    rows.length + items.reduce((sum, item) => sum + (open.has(item.path) ? item.children.length : 0), 0);
  const unseen = {
    repairer: isUnseen(sides.buyer) ? <UnseenCell of={sides.buyer} lines={lineCount} /> : null,
    supplier: isUnseen(sides.supplier) ? <UnseenCell of={sides.supplier} lines={lineCount} /> : null,
  };
  const told = { context, predictions, changes, unseen };
  return (
    <div className="scroll procurements-scroll">
      <table className={`procurements-table ${tone}${wrap ? " wraps" : ""}`}>
        <caption className="sr">The procurement as its buyer and its supplier see it</caption>
        <colgroup>
          <col className="procurements-keys" />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" className="k">
              <div className="row row-1">
                <span className="grow el">
                  {rows.length > 0 && `${plural(fields, "field")}, ${plural(items.length, "item")}`}
                </span>
                <IconButton small icon={IconTextWrap} label="Wrap long values" pressed={wrap} onClick={toggleWrap} />
                <IconButton
                  small
                  icon={allOpen ? IconArrowsMinimize : IconArrowsMaximize}
                  label={allOpen ? "Close all items" : "Open all items"}
                  disabled={items.length === 0}
                  onClick={() => onOpen(new Set(allOpen ? [] : items.map((item) => item.path)))}
                />
              </div>
            </th>
            <SideHead of={sides.buyer} />
            <SideHead of={sides.supplier} />
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <th scope="row" className="k t3">
                {sides.buyer.isLoading || sides.supplier.isLoading ? "on its way" : "no answer"}
              </th>
              {unseen.repairer ?? <td />}
              {unseen.supplier ?? <td />}
            </tr>
          )}
          {rows.map((row, index) =>
            row.children.length === 0 ? (
              <FieldLine key={row.path} row={row} first={index === 0} {...told} />
            ) : (
              <ItemLines
                key={row.path}
                row={row}
                open={open.has(row.path)}
                onToggle={() => toggle(row.path)}
                {...told}
              />
            ),
          )}
        </tbody>
      </table>
    </div>
  );
};
