import { List, Radio, ScrollArea, Stack, Text } from "@mantine/core";
import { IconChecklist, IconDownload, IconPlayerRecord } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { scenarioName } from "../../../sandbox/contract/scenario-name.ts";
import { Button } from "../../components/button.tsx";
import { Refused } from "../../components/failing.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form, Submit } from "../../components/form.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { LONG_WORK } from "../world/mutations.ts";
import { scenariosQuery, useExportScenario, useKeepScenario } from "./keeping.ts";
import { stepTitle } from "./step-words.ts";

interface RecordFormProps {
  readonly calls: readonly string[] | null;
  readonly onDone: () => void;
}

/** Limit on the listed steps. */
const MAX_SHOWN = 50;

type Beginning = "then" | "seed";

const useRecord = (calls: RecordFormProps["calls"]) => {
  const world = useWorld();
  return useMutation({
    mutationKey: LONG_WORK,
    mutationFn: ({ name, begins }: { readonly name: string; readonly begins: Beginning }) =>
      callControl("scenarios.record", {
        world,
        ...(calls === null ? { since: "reset" as const } : { trace_ids: [...calls] }),
        ...(name.trim() === "" ? {} : { name: name.trim() }),
        start: begins === "then",
      }),
  });
};

type Recording = Awaited<ReturnType<ReturnType<typeof useRecord>["mutateAsync"]>>;

/** The recording, and the name to save it under. */
const Recorded = ({ recording: { file_name, scenario }, onDone }: { recording: Recording; onDone: () => void }) => {
  const keep = useKeepScenario();
  const save = useExportScenario();
  const all = useQuery(scenariosQuery());
  const [, navigate] = useLocation();
  const notes = scenario.recorded?.notes ?? [];
  const saveAndOpen = () => {
    const name = scenarioName(file_name, all.data?.map((one) => one.name) ?? []);
    keep.mutate(
      { name, scenario },
      {
        onSuccess: () => {
          onDone();
          navigate(hrefs.scenario(name));
        },
      },
    );
  };
  return (
    <Stack gap="md">
      <p>
        <b>{scenario.name}</b>: {plural(scenario.steps.length, "step")}
        {scenario.start !== undefined && ", with the world’s state before the calls"}. Keys, secrets, codes and
        signatures are masked.
      </p>
      <ScrollArea.Autosize mah="26vh">
        <List type="ordered" size="sm">
          {scenario.steps.slice(0, MAX_SHOWN).map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number
            <List.Item key={index}>{stepTitle(step)}</List.Item>
          ))}
        </List>
        {scenario.steps.length > MAX_SHOWN && (
          <Text size="sm" c="dimmed">
            and {plural(scenario.steps.length - MAX_SHOWN, "more step")}
          </Text>
        )}
      </ScrollArea.Autosize>
      {notes.length > 0 && (
        <section aria-label="Not recorded">
          <Text component="p" size="sm" fw={500}>
            {plural(notes.length, "item")} could not be recorded unchanged:
          </Text>
          <ScrollArea.Autosize mah="26vh">
            <List size="sm" c="var(--text-2)">
              {notes.map((note) => (
                <List.Item key={note}>{note}</List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
        </section>
      )}
      <Refused error={keep.error} />
      <div className="acts-end">
        <Button
          icon={IconDownload}
          busy={save.isPending}
          onClick={() => save.mutate({ name: file_name.replace(/\.\w+$/, ""), scenario })}
        >
          Save as file
        </Button>
        <Button look="primary" icon={IconChecklist} busy={keep.isPending} disabled={!all.data} onClick={saveAndOpen}>
          Save to Scenarios
        </Button>
      </div>
    </Stack>
  );
};

/** Options of a recording, then its result. */
export const RecordForm = ({ calls, onDone }: RecordFormProps) => {
  const [name, setName] = useState("");
  const [begins, setBegins] = useState<Beginning>("then");
  const record = useRecord(calls);
  if (record.data) return <Recorded recording={record.data} onDone={onDone} />;
  return (
    <Form onSend={() => record.mutate({ name, begins })}>
      <p>
        {calls === null
          ? "Records every call since this world was created or reset, with its result."
          : calls.length === 1
            ? "Records this call, its results and its prerequisites."
            : `Records these ${plural(calls.length, "call")}, their results and their prerequisites.`}
      </p>
      <TextField label="Name" placeholder="named after the last call" value={name} onChange={setName} autoFocus />
      <Radio.Group label="Start from" name="begins" value={begins} onChange={setBegins}>
        <Stack>
          <Radio
            value="then"
            label="The world before the calls"
            description="Shows the same result on another machine."
          />
          <Radio
            value="seed"
            label="A fresh world"
            description="Starts from seed data; steps that need this world’s data may fail."
          />
        </Stack>
      </Radio.Group>
      <Refused error={record.error} />
      <div className="acts-end">
        <Submit icon={IconPlayerRecord} busy={record.isPending}>
          Record
        </Submit>
      </div>
    </Form>
  );
};
