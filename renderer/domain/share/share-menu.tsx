import { Menu } from "@mantine/core";
import { IconFileCode, IconPlayerRecord, IconShare, IconTicket } from "@tabler/icons-react";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { type Shared, useShare } from "./use-share.ts";

/** Hands an order, a delivery or a call to somebody who doesn’t have this service. */
export const ShareMenu = ({ of }: { of: Shared }) => {
  const { page, ticket, file } = useShare(of);
  return (
    <Menu position="bottom-end" width={340}>
      <Menu.Target>
        <Button small icon={IconShare} busy={[page, ticket, file].some(({ isPending }) => isPending)}>
          Share
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon of={IconFileCode} />} onClick={() => page.mutate()}>
          <span className="row">Page (HTML)</span>
          <span className="t12 t2">Opens in any browser. Secrets are masked.</span>
        </Menu.Item>
        <Menu.Item leftSection={<Icon of={IconTicket} />} onClick={() => ticket.mutate()}>
          <span className="row">Ticket (Markdown)</span>
          <span className="t12 t2">Copies the same content. Paste it into a ticket.</span>
        </Menu.Item>
        <Menu.Item leftSection={<Icon of={IconPlayerRecord} />} onClick={() => file.mutate()}>
          <span className="row">File for another explorer</span>
          <span className="t12 t2">Open it in Scenarios to replay the calls and compare the results.</span>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
