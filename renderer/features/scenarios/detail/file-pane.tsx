import { IconCopy, IconDeviceFloppy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Scenario } from "../../../../sandbox/contract/scenario.ts";
import { hrefs } from "../../../app/places.ts";
import { Button } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { TextAreaField } from "../../../components/text-area-field.tsx";
import { scenariosQuery, useKeepScenario } from "../../../domain/scenario/keeping.ts";
import { scenarioName } from "../../../domain/scenario/scenario-name.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import styles from "../scenarios.module.css";

interface FileProps {
  readonly kept: { readonly name: string; readonly source: "shipped" | "own"; readonly scenario: Scenario };
}

const parsed = (text: string): { readonly value: unknown } | { readonly problem: string } => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `It is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
};

const Editor = ({ kept: { name, scenario }, onDone }: FileProps & { onDone: () => void }) => {
  // The world it starts with is no text that anybody edits; it stays as it is.
  const { start, ...rest } = scenario;
  const [text, setText] = useState(() => JSON.stringify(rest, null, 2));
  const keep = useKeepScenario();
  const read = parsed(text);
  const problem = "problem" in read ? read.problem : null;
  const save = () => {
    if (!("value" in read)) return;
    const edited = start ? { ...(read.value as object), start } : read.value;
    keep.mutate({ name, scenario: edited, replace: true }, { onSuccess: onDone });
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextAreaField
        label="The file"
        hint={start ? "Without the world it starts with, which stays as it is." : undefined}
        value={text}
        onChange={setText}
        mono
        rows={28}
        error={problem ?? undefined}
      />
      {keep.error instanceof ServiceFailure && <Refusal failure={keep.error} />}
      <div className="row">
        <Button type="submit" look="primary" icon={IconDeviceFloppy} busy={keep.isPending} disabled={problem !== null}>
          Keep
        </Button>
        <Button onClick={onDone}>Leave it as it was</Button>
      </div>
    </form>
  );
};

/** The file of a scenario; one's own can be edited, one that ships is copied first. */
export const FilePane = ({ kept }: FileProps) => {
  const [edits, setEdits] = useState(false);
  const all = useQuery(scenariosQuery());
  const copy = useKeepScenario();
  const [, navigate] = useLocation();
  const { start, ...rest } = kept.scenario;
  const copied = () => {
    const name = scenarioName(kept.name, all.data?.map((one) => one.name) ?? []);
    copy.mutate(
      { name, scenario: { ...kept.scenario, name: `${kept.scenario.name}, copy` } },
      { onSuccess: () => navigate(hrefs.scenario(name, "file")) },
    );
  };
  return (
    <section className={styles.file} aria-label="File">
      {edits ? (
        <Editor kept={kept} onDone={() => setEdits(false)} />
      ) : (
        <>
          <div className="row wrap">
            {kept.source === "own" ? (
              <Button small onClick={() => setEdits(true)}>
                Edit its steps and checks
              </Button>
            ) : (
              <Button small icon={IconCopy} busy={copy.isPending} disabled={!all.data} onClick={copied}>
                Copy to edit
              </Button>
            )}
            {start && <span className="t12 t2">Not shown: the world it starts with.</span>}
          </div>
          {copy.error instanceof ServiceFailure && <Refusal failure={copy.error} />}
          <JsonView value={rest} label="the file" foldFrom={4} />
        </>
      )}
    </section>
  );
};
