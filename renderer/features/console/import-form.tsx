import { Group, Stack, Text } from "@mantine/core";
import { IconTerminal } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../components/button.tsx";
import { DialogFoot } from "../../components/dialog.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { TextAreaField } from "../../components/text-area-field.tsx";
import { credentialOptions } from "../../domain/credential/keys.ts";
import { declarationsQuery } from "../../domain/exchange/declarations.ts";
import type { Imported } from "../../domain/exchange/import/imported.ts";
import { OperationName } from "../../domain/exchange/operation.tsx";
import { operationTitle } from "../../domain/exchange/operation-words.ts";
import { usePendingCall, usePendingText } from "../../domain/exchange/pending-call.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useCredentials } from "../../kernel/credentials/acting.ts";
import { OpenTextButton } from "../../kernel/notices/file-buttons.tsx";
import { plural } from "../../lib/formatting.ts";
import { recognizeCall } from "./for-console.ts";
import { readCalls } from "./read-calls.ts";

const KINDS = [{ name: "cURL, HAR", extensions: ["har", "sh", "txt", "json", "curl"] }];
/** Longer texts are parsed but not shown; in characters. */
const MAX_SHOWN_LENGTH = 100_000;
/** Limit on the listed calls of a file. */
const MAX_LISTED_CALLS = 200;
const NOBODY = "none";

/** The found calls, and a choice of the caller when a call's key belongs to another world. */
const Found = ({ imported: { calls, leftOut }, onDone }: { imported: Imported; onDone: () => void }) => {
  const [, navigate] = useLocation();
  const offer = usePendingCall((state) => state.offer);
  const [index, setIndex] = useState("0");
  const [chosen, setChosen] = useState<string | null>(null);
  const { data: operations } = useQuery(declarationsQuery());
  const { data: keys } = useCredentials();
  const call = calls[Number(index)];
  if (!call || !operations || !keys) return null;
  const { operation, actAs: own, ...read } = recognizeCall(call, { operations, keys });
  const chosenActor =
    chosen === NOBODY
      ? ({ kind: "none" } as const)
      : chosen && ({ kind: "credential", integration_id: chosen } as const);
  const actAs = own ?? chosenActor;
  const left = [...call.leftOut, ...leftOut];
  const open = () => {
    if (operation === null || !actAs) return;
    offer({ ...read, operation, actAs });
    onDone();
    navigate(hrefs.console(operation));
  };
  return (
    <>
      {calls.length > 1 && (
        <SelectField
          label="Call"
          value={index}
          options={calls
            .slice(0, MAX_LISTED_CALLS)
            .map(({ method, url }, at) => ({ value: String(at), label: `${at + 1}. ${method} ${url}` }))}
          onChange={(next) => next !== null && setIndex(next)}
        />
      )}
      <Group wrap="wrap">
        <Text fw={600}>{operation === null ? "No operation has this path." : operationTitle(operation)}</Text>
        {operation !== null && operationTitle(operation) !== operation && <OperationName name={operation} />}
      </Group>
      {operation !== null && own === null && (
        <SelectField
          label="Send as"
          hint="Its key doesn’t belong to this world, so it is dropped."
          placeholder="Choose a key to send with"
          value={chosen}
          options={[
            { value: NOBODY, label: "no key" },
            ...credentialOptions(keys.filter(({ api_key }) => api_key !== undefined)),
          ]}
          onChange={setChosen}
        />
      )}
      {left.length > 0 && (
        <Text size="sm" c="dimmed" lineClamp={6} style={{ overflowWrap: "anywhere" }}>
          Not imported: {left.join(", ")}
        </Text>
      )}
      <DialogFoot>
        <Button look="primary" icon={IconTerminal} disabled={operation === null || !actAs} onClick={open}>
          Open in Console
        </Button>
      </DialogFoot>
    </>
  );
};

/** Imports a call from a cURL command or a HAR and opens it in the Console. */
export const ImportForm = ({ onDone }: { onDone: () => void }) => {
  const [text, setText] = useState("");
  const offered = usePendingText();
  useEffect(() => {
    if (offered.text === null) return;
    setText(offered.text);
    offered.offer(null);
  }, [offered]);
  const imported = text === "" ? null : readCalls(text);
  return (
    <Stack gap="md">
      <TextAreaField
        label="A cURL command or a HAR"
        hint="It is read in this window and never executed."
        placeholder="curl http://127.0.0.1:4810/api/2026-01/repairer.jobs.get -d '{…}'"
        autoFocus
        mono
        rows={6}
        value={text.length > MAX_SHOWN_LENGTH ? "" : text}
        onChange={setText}
      />
      <Group gap="sm">
        <OpenTextButton label="Choose a file" kinds={KINDS} onText={setText} />
        {imported !== null && !("problem" in imported) && (
          <Text size="sm" c="dimmed" role="status">
            Read as {imported.format}: {plural(imported.calls.length, "call")}.
          </Text>
        )}
      </Group>
      {imported !== null &&
        ("problem" in imported ? (
          <Text role="alert" c="var(--bad-text)">
            {imported.problem}
          </Text>
        ) : (
          <Found key={text} imported={imported} onDone={onDone} />
        ))}
    </Stack>
  );
};
