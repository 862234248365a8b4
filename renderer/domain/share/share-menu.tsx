import { Group, Menu, Text } from "@mantine/core";
import { IconFileCode, IconPlayerRecord, IconPrinter, IconShare, IconTicket } from "@tabler/icons-react";
import { Button, IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { worldAccess } from "../../lib/world-access.ts";
import { type Shared, useShare } from "./use-share.ts";

/** Exports an order, a delivery or a call for people without access to this service. */
export const ShareMenu = ({ of }: { of: Shared }) => {
  const { page, print, ticket, file } = useShare(of);
  return (
    <>
      <IconButton
        small
        icon={IconTicket}
        label="Ticket in Markdown, to paste elsewhere"
        verb="Ticket"
        disabled={ticket.isPending}
        onClick={() => ticket.mutate()}
      />
      <Menu position="bottom-end" width={340}>
        <Menu.Target>
          <Button small icon={IconShare} needs="view" busy={[page, print, file].some(({ isPending }) => isPending)}>
            Share
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon of={IconFileCode} />} onClick={() => page.mutate()}>
            <Group component="span">Page (HTML)</Group>
            <Text variant="note">Opens in any browser. Secrets are masked.</Text>
          </Menu.Item>
          <Menu.Item leftSection={<Icon of={IconPrinter} />} onClick={() => print.mutate()}>
            <Group component="span">Print or PDF</Group>
            <Text variant="note">Opens the print dialog. It can save a PDF.</Text>
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon of={IconPlayerRecord} />}
            disabled={worldAccess() !== null}
            onClick={() => file.mutate()}
          >
            <Group component="span">File for another explorer</Group>
            <Text variant="note">Open it in Scenarios to replay the calls and compare the results.</Text>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
};
