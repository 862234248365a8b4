import { Table, Text } from "@mantine/core";
import { IconFolderOpen } from "@tabler/icons-react";
import type { ServiceSettings } from "../../../sandbox/contract/control/service-operations.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { notify } from "../../kernel/notices/notices.tsx";
import { desktopBridge } from "../../lib/desktop-bridge.ts";
import { formatBytes } from "../../lib/formatting.ts";
import { Setting } from "./setting.tsx";

interface Shown {
  readonly shown: string | undefined;
  readonly settings: ServiceSettings;
}

/** Opens the data folder in the platform's file manager; desktop app only. */
const OpenFolder = () => {
  const bridge = desktopBridge();
  if (bridge === null) return null;
  const open = () => bridge.openDataFolder().catch((error: unknown) => notify.failed("Open data folder", error));
  return (
    <Button icon={IconFolderOpen} onClick={() => void open()}>
      Open folder
    </Button>
  );
};

/** The data folder and its size. */
export const DataFolder = ({ shown, settings: { started_by, data_folder } }: Shown) => (
  <Setting
    id="data"
    shown={shown}
    holds="Applies after restart"
    about={
      <>
        {data_folder.path === null ? (
          <p>Data is kept in memory only and deleted when the service stops.</p>
        ) : (
          <p>
            <Text component="code" style={{ overflowWrap: "anywhere" }}>
              {data_folder.path}
            </Text>{" "}
            <CopyButton text={data_folder.path} what="path of the data folder" />
          </p>
        )}
        <p>
          <b>{formatBytes(data_folder.bytes)}</b> on disk
        </p>
        <p>
          To use another folder, start the service with{" "}
          <code>{started_by === "desktop" ? "--data-folder" : "--data"}</code> or{" "}
          <code>{started_by === "desktop" ? "INTEGRATIONS_EXPLORER_DATA" : "SANDBOX_DATA"}</code>.
        </p>
      </>
    }
  >
    <span>
      <OpenFolder />
    </span>
  </Setting>
);

const startedBy = ({ started_by }: ServiceSettings): string =>
  started_by === "desktop"
    ? "The desktop app sets these. To choose your own, start the service with the command sandbox and these options."
    : "Set these as command options or as environment variables. For example, --idle-reset is SANDBOX_IDLE_RESET.";

/** The service's start options, and the program that started it. */
export const StartedWith = ({ shown, settings }: Shown) => (
  <Setting
    id="start"
    shown={shown}
    holds="Applies after restart"
    about={startedBy(settings)}
    more={
      <Table aria-label="Startup settings" miw={500}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Setting</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th w={208}>Option</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {settings.items.map(({ name, value, option }) => (
            <Table.Tr key={option}>
              <Table.Td>{name}</Table.Td>
              <Table.Td title={value ?? undefined}>{value ?? "none"}</Table.Td>
              <Table.Td>
                <Text component="code" variant="mono">
                  {option}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    }
  />
);
