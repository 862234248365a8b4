import { Menu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useWorld } from "../../../app/world.ts";
import { Icon } from "../../../components/icon.tsx";
import type { LateMenuProps } from "../../../components/late-menu.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { useFeedFilter } from "../addresses.ts";
import shared from "../webhooks.module.css";
import { Address } from "../where-to.tsx";

const EVERY = "every";

const Choice = ({ value, children }: { value: string; children: ReactNode }) => (
  <Menu.RadioItem value={value} closeMenuOnClick checkIcon={<Icon of={IconCheck} size={14} />}>
    {children}
  </Menu.RadioItem>
);

/** Narrows the feed to what one subscription was sent: all of them, also those the lines above have no room for. */
export const FeedFilterMenu = ({ button, opened, onChange }: LateMenuProps) => {
  const { data = [] } = useQuery(subscriptionsQuery(useWorld()));
  const { filter, narrow } = useFeedFilter();
  const { subscription } = filter;
  return (
    <Menu position="bottom-end" width={320} opened={opened} onChange={onChange}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah={360} className="scroll">
        <Menu.Label>Deliveries to</Menu.Label>
        <Menu.RadioGroup
          value={subscription ?? EVERY}
          onChange={(id) => narrow({ subscription: id === EVERY ? null : id })}
        >
          <Choice value={EVERY}>every subscription</Choice>
          {data.map((one) => (
            <Choice key={one.id} value={one.id}>
              <span className={shared.to}>
                <SideGlyph side={one.scope} labelled />
                <span className="el">{one.organization_name || "not of this world"}</span>
                <span className="t3">
                  <Address url={one.url} />
                </span>
              </span>
            </Choice>
          ))}
          {subscription !== null && !data.some(({ id }) => id === subscription) && (
            <Choice value={subscription}>a subscription that ended</Choice>
          )}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};
