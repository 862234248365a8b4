import { Box, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconArrowsLeftRight, IconBraces } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { TextField } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { LateJsonEditor } from "../../components/late-json-editor.tsx";
import type { ConsoleCall } from "../../domain/exchange/console-call.ts";
import type { Declared } from "../../domain/exchange/declarations.ts";
import { useActAs } from "../../kernel/credentials/acting.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";
import { laidOut, withValue, writtenIn } from "../../lib/json-text.ts";
import { withWorld } from "./call-world.ts";
import styles from "./console.module.css";
import { initialValues, schemaFields } from "./fields.ts";
import { BodyForm } from "./form.tsx";
import { parsed, valueAt } from "./json-body.ts";
import type { Offer } from "./json-completions.ts";
import { createCompletions } from "./json-completions.ts";
import { fieldPickKind, picksQuery } from "./picks.ts";
import type { RequestCheck } from "./request-check.ts";

export const noFindings: RequestCheck["findings"] = [];

interface PaneProps {
  readonly declared: Declared;
  readonly call: ConsoleCall;
  readonly findings: RequestCheck["findings"];
  readonly ignored: RequestCheck["ignored"];
  readonly pointer: string | null;
  readonly onPointer: (pointer: string) => void;
  readonly onChange: (some: Partial<ConsoleCall>) => void;
}

/** Completions for the text editor: this world's values for a field. */
const useOffer = (operation: string): Offer => {
  const client = useQueryClient();
  const world = useWorld();
  const { credential: key } = useActAs("repairer");
  return async (path, text, body) => {
    const kind = fieldPickKind(operation, path);
    if (kind === null) return [];
    try {
      return await client.fetchQuery(picksQuery({ world, kind, text, job: valueAt(body, ["job_identity"]), key }));
    } catch {
      // Without the world's values, typed text still works.
      return [];
    }
  };
};

export const JsonPane = ({ declared, call, findings, ignored, pointer, onPointer, onChange }: PaneProps) => {
  const isJson = parsed(call.body) !== null;
  const offer = useOffer(declared.id);
  return (
    <Stack component="section" gap={0} flex={1} miw={0} mih={0} aria-label="JSON">
      <div className="sec hb">
        <h3 className="h2">JSON</h3>
        {isJson ? (
          <span className="st ok">
            <Icon of={IconArrowsLeftRight} />
            in sync
          </span>
        ) : (
          <span className="st wait">
            <Icon of={IconAlertTriangle} />
            invalid JSON
          </span>
        )}
        <Box component="span" flex={1} />
        <IconButton
          small
          icon={IconBraces}
          label="Format"
          verb="Format"
          disabled={!isJson}
          onClick={() => onChange({ body: laidOut(call.body) })}
        />
        <CopyButton text={call.body} what="the body" />
      </div>
      <div className={styles.editor}>
        <LateJsonEditor
          value={call.body}
          onChange={(body) => onChange({ body })}
          label="Body, JSON"
          findings={findings}
          ignored={ignored}
          pointer={pointer}
          onPointer={onPointer}
          complete={createCompletions(declared.request ?? null, declared.definitions, offer)}
        />
      </div>
    </Stack>
  );
};

/** A route's path, query and header parameters. */
const Parameters = ({ declared, call, onChange }: Pick<PaneProps, "declared" | "call" | "onChange">) => (
  <Stack gap={10} py={10} px="lg">
    {declared.parameters.map(({ name, in: where, required, description }) => (
      <TextField
        key={name}
        mono
        label={
          <>
            {name}
            <Text size="xs" c="dimmed">
              {where}
              {required && ", required"}
            </Text>
          </>
        }
        hint={description.replaceAll("`", "")}
        value={call.parameters?.[name] ?? ""}
        onChange={(text) => onChange({ parameters: { ...call.parameters, [name]: text } })}
      />
    ))}
  </Stack>
);

const noObject = {};
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const FormPane = ({ declared, call, findings, pointer, onPointer, onChange }: PaneProps) => {
  const world = useWorld();
  const begin = (body: unknown) => onChange({ body: withWorld(declared, JSON.stringify(body, null, 2), world) });
  const now = useMemo(() => parsed(call.body), [call.body]);
  const isStale = now === null || !isObject(now.value);
  const [{ last, text }, setLast] = useState<{ last: object; text: string }>({ last: noObject, text: "" });
  if (!isStale && isObject(now.value) && last !== now.value) setLast({ last: now.value, text: call.body });
  const writtenAt = useMemo(() => writtenIn(text), [text]);
  const fields = useMemo(
    () =>
      declared.request === null || !declared.takesJson ? null : schemaFields(declared.request, declared.definitions),
    [declared],
  );
  const [example] = declared.takesJson ? declared.examples : [];
  const given = fields === null ? 0 : [...fields.keys()].filter((name) => Object.hasOwn(last, name)).length;
  return (
    <Stack component="section" gap={0} className={styles.form} aria-label="Form">
      <div className="sec hb">
        <h3 className="h2">Form</h3>
        {fields !== null && fields.size > 0 && (
          <Text variant="aside">
            {given} of {plural(fields.size, "field")}
          </Text>
        )}
        <Box component="span" flex={1} />
        {example !== undefined && (
          <Button small look="quiet" onClick={() => begin(example[1])}>
            Example
          </Button>
        )}
        {fields !== null && fields.size > 0 && (
          <Button small look="quiet" onClick={() => begin(initialValues(fields))}>
            Clear
          </Button>
        )}
      </div>
      <Box className="scroll" pos="relative" flex={1}>
        {isStale && fields !== null && (
          <Group component="p" variant="note" gap={6} p="8px 16px" className="toned wait" role="status">
            <Icon of={IconAlertTriangle} size={14} />
            {now === null ? "Invalid JSON." : "The body isn’t a JSON object."} Fix it to use the form. You can still
            send it.
          </Group>
        )}
        {declared.parameters.length > 0 && <Parameters declared={declared} call={call} onChange={onChange} />}
        {fields !== null && (
          <BodyForm
            operation={declared.id}
            fields={fields}
            value={last}
            writtenAt={writtenAt}
            isStale={isStale}
            findings={isStale ? noFindings : findings}
            pointer={pointer}
            onPointer={onPointer}
            onWrite={(path, value, order) => onChange({ body: withValue(call.body, path, value, order) })}
          />
        )}
        {fields === null && (
          <Text component="p" variant="note" p="sm" px="lg">
            {declared.takesFile === null
              ? "No body."
              : `Expects a file (${declared.takesFile}). You can’t send one from here.`}
          </Text>
        )}
      </Box>
    </Stack>
  );
};
