import { IconChecklist, IconDownload, IconPlayerRecord } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { hrefs } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { Button } from "../../components/button.tsx";
import { RadioField } from "../../components/choices.tsx";
import { Refused } from "../../components/failing.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form } from "../../components/form.tsx";
import { plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { LONG_WORK } from "../world/mutations.ts";
import { scenariosQuery, useExportScenario, useKeepScenario } from "./keeping.ts";
import styles from "./record.module.css";
import { scenarioName } from "./scenario-name.ts";
import { StepList } from "./step-list.tsx";

interface RecordFormProps {
  readonly calls: readonly string[] | null;
  readonly onDone: () => void;
}

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

/** What was recorded, and where it is to be kept. */
const Recorded = ({ recording: { file_name, scenario }, onDone }: { recording: Recording; onDone: () => void }) => {
  const keep = useKeepScenario();
  const save = useExportScenario();
  const all = useQuery(scenariosQuery());
  const [, navigate] = useLocation();
  const notes = scenario.recorded?.notes ?? [];
  const kept = () => {
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
    <div className="stack row-3">
      <p>
        <b>{scenario.name}</b>: {plural(scenario.steps.length, "step")}
        {scenario.start !== undefined && ", with the world’s state before the calls"}. Keys, secrets, codes and
        signatures are masked.
      </p>
      <StepList steps={scenario.steps} />
      {notes.length > 0 && (
        <section aria-label="Not recorded">
          <p className="t12 w5">{plural(notes.length, "item")} could not be recorded unchanged:</p>
          <ul className={`t12 t2 ${styles.notes}`}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
      <Refused error={keep.error} />
      <div className="acts-end">
        <Button
          icon={IconDownload}
          busy={save.isPending}
          onClick={() => save.mutate({ name: file_name.replace(/\.json$/, ""), scenario })}
        >
          Save as file
        </Button>
        <Button look="primary" icon={IconChecklist} busy={keep.isPending} disabled={!all.data} onClick={kept}>
          Save to Scenarios
        </Button>
      </div>
    </div>
  );
};

/** What is recorded and how it begins; then what came of it. */
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
      <RadioField
        label="Start from"
        name="begins"
        options={[
          {
            value: "then",
            label: "The world before the calls",
            hint: "Shows the same result on another machine.",
          },
          {
            value: "seed",
            label: "A fresh world",
            hint: "Starts from seed data; steps that need this world’s data may fail.",
          },
        ]}
        value={begins}
        onChange={setBegins}
      />
      <Refused error={record.error} />
      <div className="acts-end">
        <Button type="submit" look="primary" icon={IconPlayerRecord} busy={record.isPending}>
          Record
        </Button>
      </div>
    </Form>
  );
};
