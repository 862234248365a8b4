import { Box, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { type ReactNode, useId, useMemo } from "react";
import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { HeadersView } from "../../../components/headers-view.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { HexView } from "../../../domain/exchange/hex-view.tsx";
import { TextBytes } from "../../../domain/exchange/text-bytes.tsx";
import { SaveButton } from "../../../kernel/notices/file-buttons.tsx";
import { byteToHex, parseJsonBytes, textFromBytes } from "../../../lib/bytes.ts";
import type { FileToSave } from "../../../lib/files.ts";
import { formatBytes } from "../../../lib/formatting.ts";
import { useRemembered } from "../../../lib/remembered.ts";
import { findField } from "./notification.ts";

type BodyView = "text" | "hex" | "json" | "headers";

const views: ReadonlyArray<{ value: BodyView; label: string }> = [
  { value: "text", label: "Text" },
  { value: "hex", label: "Hex" },
  { value: "json", label: "JSON" },
  { value: "headers", label: "Headers" },
];

const STAMP = "webhook_timestamp";

const isView = (text: string): BodyView | null => views.find(({ value }) => value === text)?.value ?? null;

interface MessageProps {
  readonly bytes: Uint8Array;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  /** Accessible label: "Body of attempt 3". */
  readonly label: string;
  readonly actions?: ReactNode;
}

/** The exact bytes of a notification in four views; the chosen view applies to all notifications. */
export const MessagePane = ({ bytes, headers, label, actions }: MessageProps) => {
  const heading = useId();
  const [view, show] = useRemembered<BodyView>("webhooks.view", "json", isView);
  // Every attempt has its own timestamp.
  const stamp = useMemo(() => findField(bytes, STAMP), [bytes]);
  const json = useMemo(() => parseJsonBytes(bytes), [bytes]);
  const marks = stamp ? [stamp] : [];
  const isHex = view === "hex";
  const isBytes = isHex || view === "text";
  const isHeaders = view === "headers";
  const headersText = headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  const file = (): FileToSave =>
    isHeaders
      ? { name: `Headers of ${label}.txt`, content: headersText, mediaType: "text/plain" }
      : { name: `${label}.${json === undefined ? "bin" : "json"}`, content: bytes };
  return (
    <Stack component="section" gap={0} flex="1 0 auto" mih={320} aria-labelledby={heading}>
      <Group wrap="wrap" gap="4px 8px" mih={44} px="lg" py="xs">
        <Text component="h2" textWrap="nowrap" className="h2" id={heading}>
          {label}
        </Text>
        <SegmentedControl aria-label="Show the body as" data={[...views]} value={view} onChange={show} />
        <Text variant="aside" textWrap="nowrap">
          {view === "json" && "Formatted. The signature covers the raw bytes."}
          {isBytes && `${formatBytes(bytes.length)}, as sent`}
        </Text>
        <Box component="span" flex={1} />
        <Group component="span" gap="xs" style={{ whiteSpace: "nowrap" }}>
          <CopyButton
            text={isHeaders ? headersText : isHex ? [...bytes].map(byteToHex).join(" ") : textFromBytes(bytes)}
            what={isHeaders ? "the headers" : isHex ? "the bytes in hex" : "the body"}
          />
          {actions}
          <SaveButton what={isHeaders ? "the headers" : "the body, byte for byte,"} file={file} />
        </Group>
      </Group>
      <Box px="lg" pb="md" {...(isHex ? { h: 420 } : {})}>
        {isHeaders ? (
          <HeadersView headers={headers} label={`Headers of ${label}`} marks={[SIGNATURE_HEADER]} />
        ) : isHex ? (
          <HexView bytes={bytes} label={label} marks={marks} />
        ) : view === "json" && json !== undefined ? (
          <JsonView value={json} label={label} marks={[`/${STAMP}`]} copyable={false} />
        ) : (
          <TextBytes bytes={bytes} label={label} marks={marks} />
        )}
      </Box>
    </Stack>
  );
};
