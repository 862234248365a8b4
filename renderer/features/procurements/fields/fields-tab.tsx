import { Box, Group, Text } from "@mantine/core";
import { IconArrowsMaximize, IconArrowsMinimize } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { IconButton } from "../../../components/button.tsx";
import { Side, sideClass, sideWord } from "../../../components/side.tsx";
import { stateTone } from "../../../components/state.tsx";
import { Breakable } from "../../../domain/exchange/breakable.tsx";
import { useWorld } from "../../../kernel/world/world.ts";
import type { Difference } from "../../../lib/diff.ts";
import { plural } from "../../../lib/formatting.ts";
import type { Transition } from "../moves.ts";
import { previewQuery } from "../preview.ts";
import { MissingView, type SideView, type TwoSides } from "../two-sides.tsx";
import { FieldLine, ItemLines } from "./field-line.tsx";
import { both, compareViews } from "./field-rows.ts";
import styles from "./fields.module.css";

const SideHead = ({ of: seen }: { of: SideView }) => (
  <th scope="col" className={sideClass(seen.side)}>
    <Group gap="xs" wrap="wrap">
      <Side side={seen.side} word={`${sideWord(seen.side)} sees`} />
      <Text c="dimmed">{seen.name}</Text>
    </Group>
    <Text component="div" variant="mono" c="dimmed">
      <Breakable code={seen.operation} />
    </Text>
  </th>
);

const none: readonly Difference[] = [];

interface Props {
  readonly row: ProcurementRow;
  readonly sides: TwoSides;
  readonly transition: Transition | null;
  /** True if a cancellation is previewed, which hides the prediction of a confirmation. */
  readonly cancelling: boolean;
}

/** Both views line by line, with the last transition's changes and the prediction of a confirmation; items expand. */
export const FieldsTab = ({ row, sides, transition, cancelling }: Props) => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { data: predictions = none } = useQuery(previewQuery(useWorld(), row));
  const { buyer, supplier } = sides;
  const rows = compareViews(buyer.view, supplier.view);
  const view = supplier.view ?? buyer.view;
  const items = rows.filter(({ children }) => children.length > 0);
  const allOpen = items.length > 0 && items.every((item) => open.has(item.path));
  const toggle = (path: string) => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  // One cell beside all lines of the other side.
  const unseenCell = (seen: SideView) =>
    seen.view === null ? (
      <td key={seen.side} rowSpan={0} className={styles.unseenCell}>
        <MissingView of={seen} />
      </td>
    ) : undefined;
  const unseen = { repairer: unseenCell(buyer), supplier: unseenCell(supplier) };
  const spanned = both(unseen, (cell) => cell && null);
  const lineProps = {
    context: {
      jobNumber: row.job_number,
      currency: row.currency_code,
      sourceNames: new Map(view?.source_items.map((item) => [item.id, item.buyer_part.description])),
    },
    predictions: cancelling ? none : predictions,
    changes: transition?.changes ?? none,
  };
  return (
    <Box className="scroll" pos="relative" flex={1}>
      <table className={`${styles.table} ${stateTone(row.status)}`}>
        <caption className="sr">The order as its buyer and its supplier see it</caption>
        <colgroup>
          <col style={{ width: 156 }} />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <Group gap="xs" fz="xs" lh="xs" c="dimmed">
                <Box component="span" flex={1} miw={0}>
                  {rows.length > 0 && plural(rows.length - items.length, "field")}
                </Box>
                <IconButton
                  small
                  icon={allOpen ? IconArrowsMinimize : IconArrowsMaximize}
                  label={allOpen ? "Close all items" : "Open all items"}
                  disabled={items.length === 0}
                  onClick={() => setOpen(new Set(allOpen ? [] : items.map((item) => item.path)))}
                />
              </Group>
            </th>
            <SideHead of={buyer} />
            <SideHead of={supplier} />
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <Text scope="row" component="th" c="dimmed">
                {buyer.isLoading || supplier.isLoading ? "loading" : "no response"}
              </Text>
              {unseen.repairer ?? <td />}
              {unseen.supplier ?? <td />}
            </tr>
          )}
          {rows.map((field, index) => {
            const line = { ...lineProps, row: field, unseen: index === 0 ? unseen : spanned };
            return field.children.length === 0 ? (
              <FieldLine key={field.path} {...line} />
            ) : (
              <ItemLines key={field.path} {...line} open={open.has(field.path)} onToggle={() => toggle(field.path)} />
            );
          })}
        </tbody>
      </table>
    </Box>
  );
};
