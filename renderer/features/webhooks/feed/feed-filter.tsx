import { Menu } from "@mantine/core";
import { IconFilter, IconFilterFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useWorld } from "../../../app/world.ts";
import { IconButton } from "../../../components/button.tsx";
import { MenuChoice } from "../../../components/menu-choice.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { useFeedFilter } from "../addresses.ts";
import shared from "../webhooks.module.css";
import { Address } from "../where-to.tsx";

/** Narrows the feed to what one subscription was sent: all of them, also those the lines above have no room for. */
export const FeedFilterMenu = () => {
  const { data = [] } = useQuery(subscriptionsQuery(useWorld()));
  const { filter, narrow } = useFeedFilter();
  const { subscription } = filter;
  const options = data.map(({ id, scope, organization_name, url }) => ({
    id,
    name: (
      <span className={shared.to}>
        <SideGlyph side={scope} labelled />
        <span className="el">{organization_name || "not of this world"}</span>
        <span className="t3">
          <Address url={url} />
        </span>
      </span>
    ),
  }));
  const ended =
    subscription === null || data.some(({ id }) => id === subscription)
      ? []
      : [{ id: subscription, name: "a subscription that ended" }];
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <IconButton
          small
          icon={subscription === null ? IconFilter : IconFilterFilled}
          label={subscription === null ? "Filter by subscription" : "Filter: one subscription"}
        />
      </Menu.Target>
      <Menu.Dropdown mah={360} className="scroll">
        <MenuChoice
          title="Deliveries to"
          any="every subscription"
          options={[...options, ...ended]}
          value={subscription}
          onChange={(id) => narrow({ subscription: id })}
        />
      </Menu.Dropdown>
    </Menu>
  );
};
