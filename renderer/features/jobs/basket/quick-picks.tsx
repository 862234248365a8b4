import { Button as LibraryButton, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { amountText } from "../../../lib/amounts.ts";
import { formatAmount } from "../../../lib/formatting.ts";
import type { BasketChoice } from "./use-choice.ts";

/** One supplier for as much as it has: each with how far that reaches and what it comes to. */
const Singles = ({ choice }: { choice: BasketChoice }) => (
  <Menu position="bottom-start" width={340}>
    <Menu.Target>
      <LibraryButton
        size="xs"
        variant="subtle"
        disabled={choice.singles.length === 0}
        title={choice.singles.length === 0 ? "No supplier offers anything for the parts that are left" : undefined}
        rightSection={<Icon of={IconChevronDown} size={12} />}
      >
        One supplier
      </LibraryButton>
    </Menu.Target>
    <Menu.Dropdown className="jobs-menu">
      <Menu.Label>All from one supplier</Menu.Label>
      {choice.singles.map((single) => (
        <Menu.Item key={single.id} onClick={() => choice.chooseSingle(single)}>
          <span className="row jobs-single">
            <SideGlyph side="supplier" />
            <span className="el grow">{single.name}</span>
            <span className="t12 t3 nw">
              {single.parts} of {choice.openPartIds.length} parts
            </span>
            <span className="jobs-single-sum">{formatAmount(amountText(single.amount))}</span>
          </span>
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

/** Choices made for all parts at once; none where nothing is left to choose. */
export const QuickPicks = ({ choice }: { choice: BasketChoice }) => {
  const chosen = choice.chosen.length;
  if (choice.openPartIds.length === 0 && chosen === 0) return null;
  const ways = choice.openPartIds.length > 0;
  return (
    <>
      {ways && (
        <>
          <Button small look="quiet" onClick={choice.chooseCheapest}>
            Choose cheapest
          </Button>
          <Button small look="quiet" onClick={choice.chooseNewest}>
            Choose newest
          </Button>
          <Singles choice={choice} />
        </>
      )}
      <Button
        small
        look="quiet"
        disabled={chosen === 0}
        title={chosen === 0 ? "Nothing is chosen" : "Take back all that is chosen"}
        onClick={choice.clear}
      >
        Clear
      </Button>
    </>
  );
};
