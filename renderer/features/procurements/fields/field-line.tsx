import { Box, Flex, Text, type TextProps } from "@mantine/core";
import { IconArrowNarrowRight, IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import type { PartCondition } from "../../../../sandbox/contract/resources/condition.ts";
import { Icon } from "../../../components/icon.tsx";
import { sideClass } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { Breakable } from "../../../domain/exchange/breakable.tsx";
import { conditionWithin } from "../../../domain/procurement/condition-words.ts";
import type { Difference } from "../../../lib/diff.ts";
import { changesUnder, findChange } from "../moves.ts";
import { type Both, type FieldRow, sides } from "./field-rows.ts";
import styles from "./fields.module.css";
import { FieldValue, ItemSummary, lastStep, type ValueContext } from "./values.tsx";
import { orderValueText } from "./words.ts";

/** The predicted value of a field in words. */
const predicted = ({ path, after }: Difference): ReactNode => {
  if (path === "updated_at") return "now";
  if (path === "deliver_before") return <Time at={String(after)} as="day" />;
  if (lastStep(path) === "inventory") return "the offer’s stock";
  return lastStep(path) === "condition" ? conditionWithin(after as PartCondition) : orderValueText(after);
};

interface RemarkProps extends TextProps {
  readonly title?: string;
  readonly children: ReactNode;
}

/** A remark beside a value. */
const Tag = (props: RemarkProps) => <Text size="xs" c="dimmed" {...props} />;
const Bright = ({ children }: { children: ReactNode }) => (
  <Text component="b" fw={500} c="secondary">
    {children}
  </Text>
);
/** Marks a field that only one side has. */
const OneSide = (props: RemarkProps) => <Tag fw={500} c="var(--st)" {...props} />;

/** The predicted effect of a confirmation on a field, or on fields in a collapsed item. */
const PredictionTag = ({ children }: { children: ReactNode }) => (
  <Tag title="The fields a confirm sets are an assumption (D52)">confirm will set {children}</Tag>
);

const was = ({ kind, before }: Difference, of: string): ReactNode => {
  if (kind === "added") return "nothing";
  if (typeof before === "string" && /_at$|_before$/.test(of)) return <Time at={before} as="precise" />;
  // The change may affect a parent (a null inventory had no sellable_id) or a child.
  return orderValueText(before);
};

const ChangedTag = ({ change, of }: { change: Difference; of: string }) => (
  <Tag title={`${change.path} was ${orderValueText(change.before)}`}>
    was <Bright>{was(change, of)}</Bright>
  </Tag>
);

interface CellProps {
  readonly row: FieldRow;
  readonly side: Side;
  readonly tag: ReactNode;
  readonly children: (value: unknown) => ReactNode;
}

const Cell = ({ row, side, tag, children }: CellProps) => {
  const value = row.seen[side];
  if (value === undefined)
    return (
      <td className={styles.miss}>
        <span>not in the {sideClass(side)} view</span>
      </td>
    );
  const only = row.only === side;
  return (
    <td className={only ? `${styles.only} ${sideClass(side)}` : undefined}>
      <Flex columnGap="sm" rowGap={0} align="center" wrap="wrap" justify="space-between" mih={17}>
        <Box miw={0} className={styles.value}>
          {children(value)}
        </Box>
        {tag}
        {row.differs && row.children.length === 0 && (
          <Tag fw={500} c="var(--wait-text)">
            the sides differ
          </Tag>
        )}
        {only && <OneSide>only {sideClass(side)}</OneSide>}
      </Flex>
    </td>
  );
};

/** Mark at a line's edge: it, or a field inside it, changed last, or will change on a confirmation. */
type Mark = "changed" | "changed inside" | "predicted";

interface LineProps {
  readonly row: FieldRow;
  /** Placeholder of a side without a response: on the first line only, spanning all. */
  readonly unseen: Both<ReactNode>;
}

interface DrawnProps extends LineProps {
  readonly head: ReactNode;
  readonly mark: Mark | undefined;
  readonly className: string | undefined;
  readonly tagFor: (side: Side) => ReactNode;
  readonly children: (value: unknown) => ReactNode;
}

const Line = ({ row, unseen, head, mark, className, tagFor, children }: DrawnProps) => (
  <tr className={className} data-mark={mark}>
    <th scope="row" title={row.path}>
      {head}
    </th>
    {sides.map((side) =>
      unseen[side] === undefined ? (
        <Cell key={side} row={row} side={side} tag={tagFor(side)}>
          {children}
        </Cell>
      ) : (
        unseen[side]
      ),
    )}
  </tr>
);

interface SharedLineProps extends LineProps {
  readonly context: ValueContext;
  readonly predictions: readonly Difference[];
  readonly changes: readonly Difference[];
}

export const FieldLine = ({
  context,
  predictions,
  changes,
  inItem = false,
  ...line
}: SharedLineProps & { inItem?: boolean }) => {
  const { path, name } = line.row;
  const prediction = predictions.find((one) => one.path === path);
  const change = findChange(changes, path) ?? changesUnder(changes, path)[0];
  const tag = change ? (
    <ChangedTag change={change} of={path} />
  ) : (
    prediction && (
      <PredictionTag>
        <Icon of={IconArrowNarrowRight} size={12} /> <Bright>{predicted(prediction)}</Bright>
      </PredictionTag>
    )
  );
  return (
    <Line
      {...line}
      head={<Breakable code={name} />}
      mark={change ? "changed" : prediction && "predicted"}
      className={inItem ? styles.inItem : undefined}
      tagFor={() => tag}
    >
      {(value) => <FieldValue path={path} value={value} context={context} />}
    </Line>
  );
};

/** Names of the changed fields in an item: "condition, inventory"; empty for none. */
const namesUnder = (all: readonly Difference[], path: string): string =>
  [...new Set(changesUnder(all, path).map((one) => lastStep(one.path)))].join(", ");

/** An item: a summary line, and its fields when expanded. */
export const ItemLines = ({ open, onToggle, ...line }: SharedLineProps & { open: boolean; onToggle: () => void }) => {
  const { row, predictions, changes, unseen } = line;
  const changed = namesUnder(changes, row.path);
  const filled = namesUnder(predictions, row.path);
  const tagFor = (side: Side): ReactNode => {
    if (changed !== "")
      return (
        <Tag>
          changed <Bright>{changed}</Bright>
        </Tag>
      );
    if (filled !== "")
      return (
        <PredictionTag>
          <Bright>{filled}</Bright>
        </PredictionTag>
      );
    const names = row.children.filter((child) => child.only === side).map((child) => lastStep(child.name));
    if (open || names.length === 0) return null;
    return (
      <OneSide className={sideClass(side)} title={`Only in the ${sideClass(side)}’s view: ${names.join(", ")}`}>
        +{names.length} only {sideClass(side)}
      </OneSide>
    );
  };
  return (
    <>
      <Line
        row={row}
        unseen={unseen}
        head={
          <Flex
            type="button"
            component="button"
            align="center"
            gap="xs"
            className="hov"
            w="100%"
            mih={26}
            p="0 8px 0 16px"
            aria-expanded={open}
            onClick={onToggle}
          >
            <Box component="span" flex={1} miw={0}>
              <Breakable code={row.name} />
            </Box>
            <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
          </Flex>
        }
        mark={changed !== "" ? "changed inside" : filled !== "" ? "predicted" : undefined}
        className={styles.item}
        tagFor={tagFor}
      >
        {(value) => <ItemSummary value={value} />}
      </Line>
      {open && row.children.map((child) => <FieldLine key={child.path} {...line} row={child} inItem />)}
    </>
  );
};
