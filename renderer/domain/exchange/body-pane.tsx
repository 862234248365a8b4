import { Box, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { SaveButton } from "../../kernel/notices/file-buttons.tsx";
import { formatBytes } from "../../lib/formatting.ts";
import { useRemembered } from "../../lib/remembered.ts";
import { type Body, nearestExisting } from "./body.ts";
import styles from "./body-pane.module.css";
import { HexView } from "./hex-view.tsx";
import { TextBytes } from "./text-bytes.tsx";

const views = [
  { value: "json", label: "JSON" },
  { value: "text", label: "Text" },
  { value: "hex", label: "Hex" },
] as const;
type View = (typeof views)[number]["value"];
const parseView = (text: string): View | null => views.find(({ value }) => value === text)?.value ?? null;

/** Larger JSON starts collapsed; in bytes. */
const FOLDED_FROM_BYTES = 100_000;

/** Messages for each field at fault, by pointer. */
const faultMarks = (json: unknown, pointers: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    pointers.map((pointer) => {
      const there = nearestExisting(json, pointer);
      return [there, there === pointer ? "invalid" : `${pointer.slice(there.length)} is missing`];
    }),
  );

const nowhere: readonly string[] = [];

const AsView = ({ body, view, label, refusedFor = nowhere }: BodyProps & { view: View }) => {
  const faults = useMemo(() => faultMarks(body.json, refusedFor), [body.json, refusedFor]);
  if (view === "hex") return <HexView bytes={body.bytes} label={label} />;
  if (view === "json" && body.json !== undefined) {
    const folding = body.bytes.length > FOLDED_FROM_BYTES ? { foldFrom: 2 } : {};
    return <JsonView value={body.json} label={label} faults={faults} copyable={false} {...folding} />;
  }
  return <TextBytes bytes={body.bytes} label={label} />;
};

interface BodyProps {
  readonly body: Body;
  readonly label: string;
  /** Fields named by a refusal, as JSON Pointers. */
  readonly refusedFor?: readonly string[] | undefined;
}

const whatIs = ({ bytes, text, json }: Body): string | null => {
  if (bytes.length === 0) return null;
  if (text === undefined) return "not UTF-8 text (binary or another encoding)";
  return json === undefined ? "not JSON" : null;
};

/** A body as JSON, text or hex; falls back when the requested form doesn't exist. */
export const BodyPane = ({
  body,
  label,
  refusedFor,
  note,
  fileName,
}: BodyProps & { note?: ReactNode; fileName: string }) => {
  const [wanted, setWanted] = useRemembered<View>("requests.view", "json", parseView);
  const possible = views.filter(
    ({ value }) => value === "hex" || (body.text !== undefined && (value === "text" || body.json !== undefined)),
  );
  const view = possible.find(({ value }) => value === wanted)?.value ?? possible[0]?.value ?? "hex";
  if (body.bytes.length === 0)
    return (
      <Box py="md" px="lg">
        <Text c="secondary">No body.</Text> {note}
      </Box>
    );
  return (
    <Stack gap={0} miw={0}>
      <Group style={{ whiteSpace: "nowrap" }} gap="sm" wrap="nowrap" pt="sm" pr="md" pb="xs" pl="lg">
        <SegmentedControl aria-label={`Show the ${label} as`} data={possible} value={view} onChange={setWanted} />
        <Text variant="aside" truncate>
          {[formatBytes(body.bytes.length), whatIs(body)].filter(Boolean).join(", ")} {note}
        </Text>
        <Box component="span" flex={1} />
        {body.text !== undefined && <CopyButton text={body.text} what={`the ${label}`} />}
        <SaveButton
          what={`the ${label}, byte for byte,`}
          file={() => ({ name: `${fileName}.${body.json === undefined ? "bin" : "json"}`, content: body.bytes })}
        />
      </Group>
      <div className={styles.bytes} data-view={view}>
        <AsView body={body} view={view} label={label} refusedFor={refusedFor} />
      </div>
    </Stack>
  );
};
