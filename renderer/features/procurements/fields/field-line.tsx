import { IconArrowNarrowRight, IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import type { PartCondition } from "../../../../sandbox/contract/resources/condition.ts";
import { Icon } from "../../../components/icon.tsx";
import { sideClass } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { conditionWithin } from "../../../domain/procurement/condition-words.ts";
import type { Difference } from "../../../lib/diff.ts";
import { changeAt, changesUnder } from "../moves.ts";
import type { FieldRow, Seen } from "./field-rows.ts";
import { FieldValue, ItemSummary, type ValueContext } from "./field-value.tsx";
import styles from "./fields.module.css";
import { filledUnder, lastStep } from "./predictions.ts";
import { wordsOf } from "./words.ts";

/** What a field will be, as people say it. */
const predicted = ({ path, after }: Difference): ReactNode => {
  if (path === "updated_at") return "now";
  if (path === "deliver_before") return <Time at={String(after)} as="day" />;
  if (lastStep(path) === "inventory") return "the offer’s stock";
  return lastStep(path) === "condition" ? conditionWithin(after as PartCondition) : wordsOf(after);
};

/** What confirming will do to a field, or to fields inside a closed item: said, not done. */
const PredictionTag = ({ children }: { children: ReactNode }) => (
  <span className={styles.tag} title="What a confirm fills in is an assumption (D52)">
    confirm will set {children}
  </span>
);

const before = (change: Difference, path: string): string => {
  // The change may be of something above the field: an inventory that was null had no sellable_id.
  if (change.kind === "added") return "nothing";
  const text = wordsOf(change.path === path || change.before === null ? change.before : undefined);
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
};

const ChangedTag = ({ change, path }: { change: Difference; path: string }) => (
  <span className={styles.tag} title={`${change.path} was ${wordsOf(change.before)}`}>
    was{" "}
    <b>
      {typeof change.before === "string" && /_at$|_before$/.test(path) ? (
        <Time at={change.before} as="precise" />
      ) : (
        before(change, path)
      )}
    </b>
  </span>
);

/** Which fields inside a closed item the last transition changed. */
const ChangesTag = ({ changes }: { changes: readonly Difference[] }) => (
  <span className={styles.tag}>
    changed <b>{[...new Set(changes.map((change) => lastStep(change.path)))].join(", ")}</b>
  </span>
);

interface LineProps {
  readonly row: FieldRow;
  readonly context: ValueContext;
  readonly predictions: readonly Difference[];
  readonly changes: readonly Difference[];
  /** What stands in place of a side that has no answer. */
  readonly unseen: Readonly<Record<Side, ReactNode>>;
}

const seenBy = (row: FieldRow, side: Side): Seen => (side === "repairer" ? row.buyer : row.supplier);

interface CellProps {
  readonly row: FieldRow;
  readonly side: Side;
  readonly changed: boolean;
  readonly tag: ReactNode;
  /** Whether the tag is a sentence, which goes below the value where there is no room beside it. */
  readonly long: boolean;
  readonly children: (value: unknown) => ReactNode;
}

const Cell = ({ row, side, changed, tag, long, children }: CellProps) => {
  const seen = seenBy(row, side);
  if (seen.kind !== "value")
    return (
      <td className={styles.miss}>
        <span>not in the {sideClass(side)} view</span>
      </td>
    );
  const only = row.only === side;
  const classes = [only ? `${styles.only} ${sideClass(side)}` : "", changed ? styles.changed : ""]
    .filter(Boolean)
    .join(" ");
  return (
    <td className={classes || undefined}>
      <div className={`${styles.cell}${long ? ` ${styles.long}` : ""}`}>
        <span className={styles.value}>{children(seen.value)}</span>
        {tag}
        {row.differs && row.children.length === 0 && <span className={`${styles.tag} wait`}>the sides differ</span>}
        {only && <span className={`${styles.tag} ${styles.sideTag}`}>only {sideClass(side)}</span>}
      </div>
    </td>
  );
};

const sides = ["repairer", "supplier"] as const;

/** A name that may break after its underscores and dots. */
export const KeyName = ({ name }: { name: string }) =>
  name.split(/(?<=[_.])/).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

const classOf = (change: boolean, prediction: boolean, inItem = false) =>
  [change ? styles.isChanged : prediction && styles.isPredicted, inItem && styles.inItemLine]
    .filter(Boolean)
    .join(" ") || undefined;

/** One field. The first line of the table also carries what stands for an unseen side. */
export const FieldLine = ({
  row,
  first = false,
  context,
  predictions,
  changes,
  unseen,
  inItem = false,
}: LineProps & { first?: boolean; inItem?: boolean }) => {
  const prediction = predictions.find(({ path }) => path === row.path) ?? null;
  const change = changeAt(changes, row.path) ?? changesUnder(changes, row.path)[0] ?? null;
  const tag = change ? (
    <ChangedTag change={change} path={row.path} />
  ) : (
    prediction && (
      <PredictionTag>
        <Icon of={IconArrowNarrowRight} size={12} /> <b>{predicted(prediction)}</b>
      </PredictionTag>
    )
  );
  return (
    <tr className={classOf(change !== null, prediction !== null, inItem)}>
      <th scope="row" className={`${styles.k}${inItem ? ` ${styles.inItem}` : ""}`} title={row.path}>
        <KeyName name={row.name} />
      </th>
      {sides.map((side) =>
        unseen[side] ? (
          first && unseen[side]
        ) : (
          <Cell key={side} row={row} side={side} changed={change !== null} tag={tag} long={tag !== null}>
            {(value) => <FieldValue path={row.path} value={value} context={context} />}
          </Cell>
        ),
      )}
    </tr>
  );
};

/** An item: one line that says what it is, and its fields below when it is open. */
export const ItemLines = ({ open, onToggle, ...line }: LineProps & { open: boolean; onToggle: () => void }) => {
  const { row, predictions, changes, unseen } = line;
  const filled = filledUnder(predictions, row.path);
  const under = changesUnder(changes, row.path);
  const extra = (side: Side) =>
    row.children.filter((child) => child.only === side).map((child) => child.name.split(".").at(-1));
  const tagFor = (side: Side): ReactNode => {
    if (under.length > 0) return <ChangesTag changes={under} />;
    if (filled.length > 0)
      return (
        <PredictionTag>
          <b>{filled.join(", ")}</b>
        </PredictionTag>
      );
    const names = extra(side);
    if (open || names.length === 0) return null;
    return (
      <span
        className={`${styles.tag} ${styles.sideTag} ${sideClass(side)}`}
        title={`Only the ${sideClass(side)}’s view has ${names.join(", ")}`}
      >
        +{names.length} only {sideClass(side)}
      </span>
    );
  };
  return (
    <>
      <tr className={classOf(under.length > 0, filled.length > 0)}>
        <th scope="row" className={`${styles.k} ${styles.item}`}>
          <button type="button" className={`row row-1 hov ${styles.open}`} aria-expanded={open} onClick={onToggle}>
            <span>
              <KeyName name={row.name} />
            </span>
            <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
          </button>
        </th>
        {sides.map((side) =>
          unseen[side] ? null : (
            <Cell
              key={side}
              row={row}
              side={side}
              changed={false}
              tag={tagFor(side)}
              long={under.length + filled.length > 0}
            >
              {(value) => <ItemSummary value={value} />}
            </Cell>
          ),
        )}
      </tr>
      {open && row.children.map((child) => <FieldLine key={child.path} {...line} row={child} inItem />)}
    </>
  );
};
