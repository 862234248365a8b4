import { Group } from "@mantine/core";
import { IconDownload, IconFileImport, IconListCheck, IconPlayerRecord, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "wouter";
import { hrefs } from "../../../app/places.ts";
import { IconButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import type { RequestFilter } from "../../../domain/exchange/filter.ts";
import { RecordDialog } from "../../../domain/scenario/record-dialog.tsx";
import { plural } from "../../../lib/formatting.ts";
import { ExportForm } from "../export/export-form.tsx";
import { useSelection } from "../selection-store.ts";

/** Gathers calls, or takes all that match, for a ticket or a file. */
export const ExportActions = ({ filter, any }: { filter: RequestFilter; any: boolean }) => {
  const { ids, begin, end, toggle } = useSelection();
  const [opened, setOpened] = useState<"export" | "record" | null>(null);
  const [, navigate] = useLocation();
  const isPicking = ids !== null;
  const close = () => setOpened(null);
  useKeys("Requests", [
    {
      keys: ["x"],
      label: "Select calls to export or record",
      run: ({ target }) => {
        const id = target instanceof Element ? target.closest<HTMLElement>("[data-key]")?.dataset.key : undefined;
        if (id === undefined) return isPicking ? end() : begin();
        flushSync(() => (ids?.size === 1 && ids.has(id) ? end() : toggle(id)));
        // A row that is selected is another element than the link to its call.
        document.querySelector<HTMLElement>(`[data-key="${CSS.escape(id)}"]`)?.focus();
      },
    },
  ]);
  return (
    <Group component="span" gap={6} wrap="nowrap">
      {isPicking && (
        <span className="t12 t2" role="status">
          {plural(ids.size, "call")} selected
        </span>
      )}
      <IconButton
        small
        icon={isPicking ? IconX : IconListCheck}
        label={isPicking ? "Stop selecting" : "Select calls to export or record"}
        onClick={isPicking ? end : begin}
      />
      <IconButton
        small
        icon={IconDownload}
        label={isPicking ? "Export selected calls" : "Export all matching calls"}
        disabled={isPicking ? ids.size === 0 : !any}
        onClick={() => setOpened("export")}
      />
      {isPicking && (
        <IconButton
          small
          icon={IconPlayerRecord}
          label="Record selected calls as a scenario"
          disabled={ids.size === 0}
          onClick={() => setOpened("record")}
        />
      )}
      <IconButton
        small
        icon={IconFileImport}
        label="Import a call: cURL, HAR"
        onClick={() => navigate(hrefs.importCall)}
      />
      <Dialog opened={opened === "export"} onClose={close} title="Export calls" size={480}>
        <ExportForm of={isPicking ? { ids: [...ids] } : { matching: filter }} onDone={close} />
      </Dialog>
      <RecordDialog opened={opened === "record"} onClose={close} calls={ids === null ? [] : [...ids]} />
    </Group>
  );
};
