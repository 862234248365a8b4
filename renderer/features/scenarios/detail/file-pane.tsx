import { Box, Group, Stack, Text } from "@mantine/core";
import { IconCopy, IconDeviceFloppy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { ScenarioRow } from "../../../../sandbox/contract/control/scenario-operations.ts";
import type { Scenario } from "../../../../sandbox/contract/scenario.ts";
import { scenarioName } from "../../../../sandbox/contract/scenario-name.ts";
import { Button } from "../../../components/button.tsx";
import { Refused } from "../../../components/failing.tsx";
import { Form, Submit } from "../../../components/form.tsx";
import type { Finding } from "../../../components/json-editor.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { LateJsonEditor } from "../../../components/late-json-editor.tsx";
import { scenariosQuery, useKeepScenario } from "../../../domain/scenario/keeping.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { isObject } from "../../../lib/diff.ts";
import { readDraft, useDraft } from "../../../lib/draft.ts";
import { plural } from "../../../lib/formatting.ts";
import { useScenarioCheck } from "../queries.ts";
import { findingText } from "../run-words.ts";

interface FileProps {
  readonly file: Pick<ScenarioRow, "name" | "source"> & { readonly scenario: Scenario };
}

const jsonProblem = (text: string): string | null => {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
};

const MAX_PROBLEMS = 5;

/** Problems of the text before it is saved. */
const Wrong = ({
  broken,
  findings,
  onGoTo,
}: {
  broken: string | null;
  findings: readonly Finding[];
  onGoTo: (finding: Finding) => void;
}) => {
  if (broken === null && findings.length === 0) return null;
  const more = findings.length - MAX_PROBLEMS;
  return (
    <Box
      fz="sm"
      lh="sm"
      style={{ overflowWrap: "anywhere" }}
      c="var(--bad-text)"
      aria-label="Problems in the file"
      role="status"
    >
      {broken !== null && <p>{broken}</p>}
      {broken === null &&
        findings.slice(0, MAX_PROBLEMS).map((finding) => (
          <p key={`${finding.pointer} ${finding.message}`}>
            <button type="button" className="lnk" title="Show in the file" onClick={() => onGoTo(finding)}>
              {findingText(finding)}
            </button>
          </p>
        ))}
      {broken === null && more > 0 && <p>and {plural(more, "more field")}</p>}
    </Box>
  );
};

/** An edit with its original text. */
interface Edit {
  readonly text: string;
  readonly from: string;
}
const editDraft = (name: string) => ({ name: `scenario.${name}` });
const readEdit = (stored: unknown): Edit | null =>
  isObject(stored) && typeof stored.text === "string" && typeof stored.from === "string"
    ? { text: stored.text, from: stored.from }
    : null;

const Editor = ({ file: { name, scenario }, onDone }: FileProps & { onDone: () => void }) => {
  // Nobody edits the initial world as text, so it stays unchanged.
  const { start, ...rest } = scenario;
  const now = JSON.stringify(rest, null, 2);
  const { draft, change, isContinued, startOver, forget } = useDraft<Edit>(editDraft(name), {
    initial: () => ({ text: now, from: now }),
    read: readEdit,
    isWorth: ({ text, from }) => text !== from,
  });
  const { text, from } = draft;
  const keep = useKeepScenario();
  const broken = jsonProblem(text);
  const findings = useScenarioCheck(broken === null ? text : null);
  const [at, goTo] = useState<Finding | null>(null);
  const leave = () => {
    forget();
    onDone();
  };
  const save = () => {
    if (broken !== null) return;
    const edited: unknown = JSON.parse(text);
    const whole = start && isObject(edited) ? { ...edited, start } : edited;
    keep.mutate({ name, scenario: whole, replace: true }, { onSuccess: leave });
  };
  return (
    <Form onSend={save}>
      {start && (
        <Text component="p" variant="note">
          The starting world isn’t shown and stays unchanged.
        </Text>
      )}
      {(isContinued || from !== now) && (
        <Text component="div" variant="note" role="status">
          {from === now
            ? "Draft restored."
            : "The file was changed elsewhere since you started. Saving replaces it with your version."}{" "}
          <button type="button" className="lnk" onClick={startOver}>
            Start over with the file
          </button>
        </Text>
      )}
      <Box
        h="clamp(200px, 100vh - 340px, 800px)"
        bd="1px solid var(--line-strong)"
        bdrs="sm"
        style={{ overflow: "hidden" }}
      >
        <LateJsonEditor
          value={text}
          onChange={(typed) => change((edit) => ({ ...edit, text: typed }))}
          label="The file"
          findings={findings}
          at={at}
        />
      </Box>
      <Wrong broken={broken} findings={findings} onGoTo={(finding) => goTo({ ...finding })} />
      <Refused error={keep.error} />
      <Group>
        <Submit icon={IconDeviceFloppy} busy={keep.isPending} disabled={broken !== null}>
          Save
        </Submit>
        <Button onClick={leave}>Discard changes</Button>
      </Group>
    </Form>
  );
};

/** A scenario's file; saved ones are editable, shipped ones must be copied first. */
export const FilePane = ({ file }: FileProps) => {
  const [edits, setEdits] = useState(() => file.source === "own" && readDraft(editDraft(file.name)) !== null);
  const all = useQuery(scenariosQuery());
  const copy = useKeepScenario();
  const [, navigate] = useLocation();
  const { start, ...rest } = file.scenario;
  const copied = () => {
    const name = scenarioName(file.name, all.data?.map((one) => one.name) ?? []);
    copy.mutate(
      { name, scenario: { ...file.scenario, name: `${file.scenario.name}, copy` } },
      { onSuccess: () => navigate(hrefs.scenario(name, "file")) },
    );
  };
  return (
    <Stack className="hl" component="section" gap="sm" py="md" px="lg" aria-label="File">
      {edits ? (
        <Editor file={file} onDone={() => setEdits(false)} />
      ) : (
        <>
          <Group wrap="wrap">
            {file.source === "own" ? (
              <Button small onClick={() => setEdits(true)}>
                Edit steps and checks
              </Button>
            ) : (
              <Button small icon={IconCopy} busy={copy.isPending} disabled={!all.data} onClick={copied}>
                Copy to edit
              </Button>
            )}
            {start && <Text variant="note">The starting world isn’t shown.</Text>}
          </Group>
          <Refused error={copy.error} />
          <JsonView value={rest} label="the file" foldFrom={4} />
        </>
      )}
    </Stack>
  );
};
