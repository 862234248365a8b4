import { IconChecklist, IconFileUpload, IconFolderOpen } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, type DragEvent, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { notify } from "../../app/notices.tsx";
import { hrefs } from "../../app/places.ts";
import { Button } from "../../components/button.tsx";
import { Refusal } from "../../components/failing.tsx";
import { TextField } from "../../components/fields.tsx";
import { TextAreaField } from "../../components/text-area-field.tsx";
import { type Draft, draftOf, type Material } from "../../domain/exchange/import/for-scenario.ts";
import { MOST_IMPORTED, readCalls, TOO_LARGE } from "../../domain/exchange/import/read-calls.ts";
import { scenariosQuery, useKeepScenario } from "../../domain/scenario/keeping.ts";
import { scenarioName } from "../../domain/scenario/scenario-name.ts";
import { plural } from "../../lib/formatting.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { calledBy, stepTitle } from "./run-words.ts";
import styles from "./scenarios.module.css";

/** So many files of a folder are read. */
const MOST_FILES = 500;
const MOST_SHOWN = 50;

const readFile = async (file: File): Promise<Material> => ({
  file: file.name,
  read: file.size > MOST_IMPORTED ? { problem: TOO_LARGE } : readCalls(await file.text()),
});

/** An attribute that React's types do not know. */
const wholeFolder = { webkitdirectory: "" };

/** Files, a folder, or what was pasted. */
const Source = ({
  pasted,
  onPaste,
  onFiles,
}: {
  pasted: string;
  onPaste: (text: string) => void;
  onFiles: (files: readonly File[]) => void;
}) => {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => onFiles([...(currentTarget.files ?? [])]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    onFiles([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped can be chosen with the buttons, too
    <div className={styles.form} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <TextAreaField
        label="HAR, cURL commands or an HTTP file"
        hint="Paste it, drop files here, or choose them. All is read in this window; nothing of it is run."
        mono
        rows={5}
        value={pasted}
        onChange={onPaste}
        autoFocus
      />
      <div className="row wrap">
        <Button small icon={IconFileUpload} onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button small icon={IconFolderOpen} onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
      </div>
      <input ref={files} type="file" multiple hidden aria-label="Files" onChange={take} />
      <input ref={folder} type="file" multiple hidden aria-label="Folder" onChange={take} {...wholeFolder} />
    </div>
  );
};

const Steps = ({ draft: { scenario, leftOut } }: { draft: Draft }) => (
  <>
    <section aria-label="Steps of the draft">
      <p className="w5">
        {scenario === null ? "No call reaches an operation." : plural(scenario.steps.length, "step")}
      </p>
      <ol className={styles.drafted}>
        {scenario?.steps.slice(0, MOST_SHOWN).map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number
          <li key={index}>
            {stepTitle(step)} <span className="m11 t3">{calledBy(step)}</span>
          </li>
        ))}
      </ol>
      {scenario !== null && scenario.steps.length > MOST_SHOWN && (
        <p className="t12 t2">and {scenario.steps.length - MOST_SHOWN} more</p>
      )}
    </section>
    <section aria-label="Not understood">
      <p className="w5">{leftOut.length === 0 ? "All of it was understood." : "Not understood, or not taken over"}</p>
      <ul className={styles.drafted}>
        {leftOut.map(({ what, why }) => (
          <li key={`${what} ${why}`}>
            <span className="m11">{what}</span> <span className="t12 t2">{why}</span>
          </li>
        ))}
      </ul>
    </section>
  </>
);

/** A partner's material becomes a scenario draft, with what was not understood listed; then it is kept. */
export const MaterialForm = ({ onDone }: { onDone: () => void }) => {
  const [pasted, setPasted] = useState("");
  const [chosen, setChosen] = useState<readonly Material[]>([]);
  const [name, setName] = useState("");
  const all = useQuery(scenariosQuery());
  const keep = useKeepScenario();
  const [, navigate] = useLocation();
  const title = name.trim() || chosen[0]?.file || "Drafted scenario";
  const draft = useMemo(() => {
    const material = pasted.trim() === "" ? chosen : [{ file: "what was pasted", read: readCalls(pasted) }];
    return material.length === 0 ? null : draftOf(title, material);
  }, [pasted, chosen, title]);
  const take = (files: readonly File[]) => {
    setPasted("");
    if (files.length > MOST_FILES)
      notify.failed(
        "Read the folder",
        new Error(`There are ${files.length} files in it; at most ${MOST_FILES} are read.`),
      );
    else void Promise.all(files.map(readFile)).then(setChosen, (error) => notify.failed("Read the files", error));
  };
  const kept = () => {
    if (!draft?.scenario) return;
    const free = scenarioName(title, all.data?.map((one) => one.name) ?? []);
    keep.mutate(
      { name: free, scenario: draft.scenario },
      {
        onSuccess: () => {
          onDone();
          navigate(hrefs.scenario(free));
        },
      },
    );
  };
  return (
    <div className={styles.form}>
      <Source pasted={pasted} onPaste={setPasted} onFiles={take} />
      {draft && (
        <>
          <TextField label="Name of the scenario" placeholder={title} value={name} onChange={setName} />
          <Steps draft={draft} />
        </>
      )}
      {keep.error instanceof ServiceFailure && <Refusal failure={keep.error} />}
      <div className="row">
        <Button
          look="primary"
          icon={IconChecklist}
          busy={keep.isPending}
          disabled={!draft?.scenario || !all.data}
          onClick={kept}
        >
          Keep as a scenario
        </Button>
      </div>
    </div>
  );
};
