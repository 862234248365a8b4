import { Box, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import { useMemo, useRef } from "react";
import { Button, IconButton } from "../../../components/button.tsx";
import { Refused } from "../../../components/failing.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { ShortTable } from "../../../components/short-table.tsx";
import { TextAreaField } from "../../../components/text-area-field.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { VerdictOn } from "../../../domain/trace/verdict-note.tsx";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { OpenTextButton } from "../../../kernel/notices/file-buttons.tsx";
import { useWorld } from "../../../kernel/world/world.ts";
import { useDraft } from "../../../lib/draft.ts";
import { plural } from "../../../lib/formatting.ts";
import { useInsertParts } from "../mutations.ts";
import { MAX_PARTS, type PartLine, readPartList, toPartInsert } from "./part-list.ts";

const example = "Front bumper cover; Colour match\nHeadlamp, right, LED\n2 x Fog lamp\nBonnet\n12 x Retaining clip set";

const lists = [{ name: "Lists", extensions: ["txt", "csv", "tsv"] }];

const notSent = <Text c="dimmed">not sent</Text>;

const Understood = ({ lines }: { lines: readonly PartLine[] }) => (
  <Box className="scroll" mah={220} bd="1px solid var(--line)" bdrs="var(--r2)" bg="var(--surface)">
    <ShortTable
      label="Parts read from the list"
      rows={lines}
      keyOf={({ line }) => line}
      columns={[
        { head: "Line", width: 52, right: true, cell: ({ line }) => line },
        { head: "quantity", width: 76, right: true, cell: ({ quantity }) => quantity ?? notSent },
        { head: "description", cell: ({ description }) => description || "empty" },
        {
          head: "note",
          cell: ({ note, problem, remark }) =>
            problem ? (
              <span className="st bad">
                <Icon of={IconAlertTriangle} size={14} />
                {problem}
              </span>
            ) : (
              (remark ?? note ?? notSent)
            ),
        },
      ]}
    />
  </Box>
);

interface AddPartsProps {
  readonly jobId: string;
  readonly credential: KeyedCredential;
  readonly onClose: () => void;
}

/**
 * Parses typed parts, or ones pasted from an estimate or a spreadsheet, shows the result before sending, then the
 * response.
 */
export const AddParts = ({ jobId, credential, onClose }: AddPartsProps) => {
  const { draft: text, change } = useDraft<string>(
    { name: `parts.${useWorld()}.${jobId}` },
    {
      initial: () => "",
      read: (stored) => (typeof stored === "string" ? stored : null),
      isWorth: (pasted) => pasted !== "",
    },
  );
  const paste = (next: string) => change(() => next);
  const lines = useMemo(() => readPartList(text), [text]);
  const wrong = lines.find(({ problem }) => problem !== null);
  const insert = useInsertParts(jobId, credential, () => paste(""));
  const form = useRef<HTMLDivElement>(null);
  const ready = lines.length > 0 && lines.length <= MAX_PARTS && !insert.isPending;
  const send = () => {
    if (ready) insert.mutate(lines.map(toPartInsert));
  };
  useSendKey(form, "Job", { label: "Insert the parts", enabled: ready, run: send });
  const { data: response } = insert;
  return (
    <Stack
      ref={form}
      component="section"
      className="hb"
      gap="md"
      p="12px 16px"
      bg="var(--canvas)"
      aria-label="Add parts"
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <TextAreaField
          mono
          autoFocus
          label="One part per line"
          rows={7}
          value={text}
          onChange={paste}
          placeholder={"2 x Bonnet\nHeadlamp, right; LED"}
          hint="Write “2 x Bonnet; note”. Or paste spreadsheet cells: description, quantity, note. The quantity can also be first or last."
        />
        <Stack gap="sm">
          <Group variant="aside" gap="sm" wrap="nowrap">
            <Text truncate>repairer.jobs.parts.insert: inserts all parts or none</Text>
            <Origin of="assumption" id="D38" />
            <Box component="span" flex={1} />
            <IconButton small icon={IconX} label="Close" onClick={onClose} />
          </Group>
          {lines.length > 0 ? (
            <Understood lines={lines} />
          ) : (
            <Text component="p" variant="note">
              Paste a list to preview the parts here.{" "}
              <button type="button" className="lnk" onClick={() => paste(example)}>
                Try an example
              </button>{" "}
              or <OpenTextButton label="open a file" kinds={lists} onText={paste} />
            </Text>
          )}
        </Stack>
      </SimpleGrid>
      <Group wrap="wrap">
        <Button look="primary" keys="mod+enter" busy={insert.isPending} disabled={!ready} onClick={send}>
          {lines.length === 0 ? "Insert parts" : `Insert ${plural(lines.length, "part")}`}
        </Button>
        {lines.length > MAX_PARTS && <Text variant="note">A call takes at most {MAX_PARTS} parts.</Text>}
        {wrong && (
          <Text variant="note">
            This call will be refused. Line {wrong.line}: {wrong.problem}. Send it anyway to see the error.
          </Text>
        )}
        {response?.ok && (
          <Group component="span" variant="note" role="status">
            <HttpStatus status={response.status} /> Parts inserted. The response contains all parts of the job.
          </Group>
        )}
      </Group>
      <Refused error={response?.failure ?? insert.error} />
      {response?.failure && (
        <Text component="p" variant="note">
          The whole response is the bare JSON string <code>{JSON.stringify(response.body)}</code>. Only this operation
          returns errors like this. No parts were inserted. <Origin of="contract" />
        </Text>
      )}
      {response?.failure && response.requestId && <VerdictOn id={response.requestId} />}
    </Stack>
  );
};
