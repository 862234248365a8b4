import { Group, Stack } from "@mantine/core";
import { IconCopy, IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { INTERFACE_VERSION } from "../../../../sandbox/contract/operation.ts";
import { useCredentials } from "../../../app/acting.ts";
import { copyText } from "../../../app/copy-text.ts";
import { notify } from "../../../app/notices.tsx";
import { useWorld } from "../../../app/world.ts";
import { serviceInfoQuery } from "../../../app/world-queries.ts";
import { Button } from "../../../components/button.tsx";
import { CheckField, RadioField } from "../../../components/choices.tsx";
import { useWho } from "../../../domain/exchange/exchange.tsx";
import type { RequestFilter } from "../../../domain/exchange/filter.ts";
import { readTicketCalls } from "../../../domain/share/gather.ts";
import { pageHtml } from "../../../domain/share/page-html.ts";
import { pageMarkdown } from "../../../domain/share/page-markdown.ts";
import { ticketOf } from "../../../domain/share/ticket.ts";
import { type FileToSave, saveFile } from "../../../lib/files.ts";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { matchingIds, readCalls } from "./gather.ts";
import { harOf } from "./har.ts";

const forms = ["markdown", "html", "har"] as const;
type Form = (typeof forms)[number];

/** A ticket is read by somebody; a HAR by a program. */
const MOST: Readonly<Record<Form, number>> = { markdown: 50, html: 50, har: 5_000 };

const options = [
  {
    value: "markdown" as const,
    label: "Ticket, Markdown",
    hint: "Request, response, reason and trace",
  },
  { value: "html" as const, label: "Ticket, one HTML file", hint: "The same content as a standalone page" },
  { value: "har" as const, label: "HAR 1.2", hint: "Requests and responses for other tools" },
];

/** What is exported: some calls, or all that a filter leaves. */
export type ExportOf = { readonly ids: readonly string[] } | { readonly matching: RequestFilter };

const useExport = (of: ExportOf) => {
  const world = useWorld();
  const who = useWho();
  const { data: info } = useQuery(serviceInfoQuery());
  const { data: credentials = [] } = useCredentials();
  const [progress, setProgress] = useState<{ readonly read: number; readonly of: number } | null>(null);
  const reading = useRef<AbortController | null>(null);
  const cancel = () => reading.current?.abort();
  useEffect(() => () => reading.current?.abort(), []);

  const make = async (form: Form, withKeys: boolean): Promise<FileToSave | null> => {
    const controller = new AbortController();
    reading.current = controller;
    const { signal } = controller;
    const at = new Date().toISOString();
    const name = `calls-${world}-${at.slice(0, 19).replaceAll(":", "")}`;
    setProgress({ read: 0, of: 0 });
    try {
      const quiet = { world, signal, onRead: () => undefined };
      const ids = "ids" in of ? of.ids : await matchingIds(of.matching, MOST[form], quiet);
      const watched = { world, signal, onRead: (read: number) => setProgress({ read, of: ids.length }) };
      setProgress({ read: 0, of: ids.length });
      if (form === "har") {
        const calls = await readCalls(ids, watched);
        const known = credentials.flatMap(({ integration_id, api_key }) =>
          api_key === undefined ? [] : [[integration_id, api_key] as const],
        );
        const har = harOf(calls, window.location.origin, info?.version ?? "", new Map(withKeys ? known : []));
        return { name: `${name}.har`, content: `${JSON.stringify(har, null, 2)}\n`, mediaType: "application/json" };
      }
      const calls = await readTicketCalls(ids, who, watched);
      const about = { world, service: info?.version ?? "", contract: INTERFACE_VERSION, made_at: at };
      const blocks = ticketOf(calls, about);
      return form === "markdown"
        ? { name: `${name}.md`, content: pageMarkdown(blocks), mediaType: "text/markdown" }
        : { name: `${name}.html`, content: pageHtml(plural(calls.length, "call"), blocks), mediaType: "text/html" };
    } catch (error) {
      if (!signal.aborted) notify.failed("Export", error);
      return null;
    } finally {
      setProgress(null);
    }
  };
  return { progress, cancel, make };
};

/** Makes a ticket or a HAR file of calls: to copy, or to save. */
export const ExportForm = ({ of, onDone }: { of: ExportOf; onDone: () => void }) => {
  const [form, setForm] = useState<Form>("markdown");
  const [withKeys, setWithKeys] = useState(false);
  const { progress, cancel, make } = useExport(of);
  const save = async () => {
    const file = await make(form, withKeys);
    if (file === null) return;
    try {
      const name = await saveFile(file);
      if (name === null) return;
      notify.done({ title: `Saved ${name}` });
      onDone();
    } catch (error) {
      notify.failed("Couldn’t save the export", error);
    }
  };
  const copy = async () => {
    const file = await make(form, withKeys);
    if (typeof file?.content === "string" && (await copyText(file.content, "the export"))) onDone();
  };
  return (
    <Stack gap={14}>
      <p className="t12 t2">
        {"ids" in of ? plural(of.ids.length, "call") : `All matching calls (newest ${formatCount(MOST[form])} at most)`}
        .
      </p>
      <RadioField label="Format" name="form" options={options} value={form} onChange={setForm} />
      {form === "har" && (
        <CheckField
          label="Include the keys of this world"
          hint="Anyone with the file can use the keys. Otherwise, credentials stay masked."
          checked={withKeys}
          onChange={setWithKeys}
        />
      )}
      <Group gap="sm" wrap="nowrap" justify="flex-end">
        {progress !== null && (
          <>
            <span className="t12 t2" role="status">
              {progress.of === 0
                ? "Finding calls"
                : `Read ${formatCount(progress.read)} of ${formatCount(progress.of)}`}
            </span>
            <Button look="quiet" onClick={cancel}>
              Cancel
            </Button>
          </>
        )}
        <Button icon={IconCopy} disabled={progress !== null} onClick={() => void copy()}>
          Copy
        </Button>
        <Button look="primary" icon={IconDownload} disabled={progress !== null} onClick={() => void save()}>
          Save
        </Button>
      </Group>
    </Stack>
  );
};
