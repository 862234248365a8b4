import { Checkbox, Group, Text } from "@mantine/core";
import { IconDownload, IconFileImport, IconPlayerRecord } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Button, IconButton } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import type { RequestFilter } from "../../../domain/exchange/filter.ts";
import { RecordDialog } from "../../../domain/scenario/record-dialog.tsx";
import { readEach } from "../../../domain/share/gather.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { useCredentials } from "../../../kernel/credentials/acting.ts";
import { useConnection } from "../../../kernel/live/connection-store.ts";
import { notify } from "../../../kernel/notices/notices.tsx";
import { serviceInfoQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { saveFile } from "../../../lib/files.ts";
import { formatCount } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { worldAccess } from "../../../lib/world-access.ts";
import { createHar } from "../export/har.ts";
import { listParameters } from "../queries.ts";

const PAGE = 500;
/** Limits on the calls of a file and of a scenario. */
const MAX_EXPORTED_CALLS = 5_000;
const MAX_RECORDED_CALLS = 500;

/** Reads the IDs of the filtered calls page by page, newest first, up to a limit. */
const matchingIds = async (filter: RequestFilter, most: number, world: string, signal: AbortSignal) => {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const from: { cursor?: string } = cursor === null ? {} : { cursor };
    const request = { ...listParameters(filter), ...from, limit: Math.min(PAGE, most - ids.length), world };
    const page: { items: readonly { id: string }[]; next_cursor: string | null } = await callControl(
      "requests.list",
      request,
      { signal },
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null && ids.length < most);
  return ids;
};

/** Saves the filtered calls as a HAR file; credentials are masked unless requested. */
const ExportForm = ({ filter, onDone }: { filter: RequestFilter; onDone: () => void }) => {
  const world = useWorld();
  const { data: info } = useQuery(serviceInfoQuery());
  const { data: credentials = [] } = useCredentials();
  const [withKeys, setWithKeys] = useState(false);
  const [progress, setProgress] = useState<string | null>(null);
  const reading = useRef(new AbortController());
  useEffect(() => () => reading.current.abort(), []);
  const save = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    reading.current = controller;
    setProgress("Finding calls");
    try {
      const ids = await matchingIds(filter, MAX_EXPORTED_CALLS, world, signal);
      const onRead = (read: number) => setProgress(`Read ${formatCount(read)} of ${formatCount(ids.length)}`);
      const read = { world, signal, onRead };
      const calls = await readEach(ids, read, (id) => callControl("requests.get", { id, world }, { signal }));
      const keys = credentials.flatMap(({ integration_id, api_key }) =>
        withKeys && api_key !== undefined ? [[integration_id, api_key] as const] : [],
      );
      const har = createHar(calls, window.location.origin, info?.version ?? "", new Map(keys));
      const at = new Date().toISOString().slice(0, 19).replaceAll(":", "");
      const content = `${JSON.stringify(har, null, 2)}\n`;
      const name = await saveFile({ name: `calls-${world}-${at}.har`, content, mediaType: "application/json" });
      if (name === null) return;
      notify.done({ title: `Saved ${name}` });
      onDone();
    } catch (error) {
      if (!signal.aborted) notify.failed("Export calls", error);
    } finally {
      setProgress(null);
    }
  };
  return (
    <>
      <p>
        Saves up to {formatCount(MAX_EXPORTED_CALLS)} matching calls, newest first, as a HAR 1.2 file for other tools.
      </p>
      <Checkbox
        label="Include the keys of this world"
        description="Anyone with the file can use the keys. Otherwise, credentials stay masked."
        checked={withKeys}
        onChange={(event) => setWithKeys(event.currentTarget.checked)}
      />
      <DialogFoot>
        {progress !== null && (
          <>
            <Text variant="note" role="status">
              {progress}
            </Text>
            <Button look="quiet" onClick={() => reading.current.abort()}>
              Cancel
            </Button>
          </>
        )}
        <Button look="primary" icon={IconDownload} disabled={progress !== null} onClick={() => void save()}>
          Save
        </Button>
      </DialogFoot>
    </>
  );
};

/** Actions on all matching calls: save as HAR, record a scenario; and the import. */
export const ExportActions = ({ filter, any }: { filter: RequestFilter; any: boolean }) => {
  const world = useWorld();
  const [isExporting, setExporting] = useState(false);
  const [isRecording, setRecording] = useState(false);
  /** Stays while the dialog closes. */
  const [recorded, record] = useState<readonly string[]>([]);
  const [, navigate] = useLocation();
  const recordAll = async () => {
    try {
      record(await matchingIds(filter, MAX_RECORDED_CALLS, world, new AbortController().signal));
      setRecording(true);
    } catch (error) {
      notify.failed("Record calls", error);
    }
  };
  // A reset or a restore deletes the calls of an open dialog.
  useEffect(
    () =>
      useConnection.subscribe((now, before) => {
        if (now.replacements !== before.replacements) setRecording(false);
      }),
    [],
  );
  return (
    <Group component="span" gap={6} wrap="nowrap">
      <IconButton
        small
        icon={IconDownload}
        label="Export all matching calls"
        verb="Export"
        disabled={!any}
        onClick={() => setExporting(true)}
      />
      {worldAccess() === null && (
        <IconButton
          small
          icon={IconPlayerRecord}
          label="Record all matching calls as a scenario"
          verb="Record"
          disabled={!any}
          onClick={() => void recordAll()}
        />
      )}
      <IconButton
        small
        icon={IconFileImport}
        label="Import a call (cURL or HAR)"
        verb="Import"
        onClick={() => navigate(hrefs.importCalls)}
      />
      <Dialog opened={isExporting} onClose={() => setExporting(false)} title="Export calls" size={480}>
        <ExportForm filter={filter} onDone={() => setExporting(false)} />
      </Dialog>
      <RecordDialog opened={isRecording} onClose={() => setRecording(false)} calls={recorded} />
    </Group>
  );
};
