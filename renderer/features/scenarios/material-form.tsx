import { IconChecklist, IconFileUpload, IconFolderOpen } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, type DragEvent, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { notify } from "../../app/notices.tsx";
import { hrefs } from "../../app/places.ts";
import { Button } from "../../components/button.tsx";
import { Refused } from "../../components/failing.tsx";
import { TextField } from "../../components/fields.tsx";
import { TextAreaField } from "../../components/text-area-field.tsx";
import { type Draft, draftOf, type Material } from "../../domain/exchange/import/for-scenario.ts";
import { MOST_IMPORTED, readCalls, TOO_LARGE } from "../../domain/exchange/import/read-calls.ts";
import { scenariosQuery, useKeepScenario } from "../../domain/scenario/keeping.ts";
import { scenarioName } from "../../domain/scenario/scenario-name.ts";
import { StepList } from "../../domain/scenario/step-list.tsx";
import { formatCount, plural } from "../../lib/formatting.ts";
import styles from "./scenarios.module.css";

/** So many files are read at once. */
const MOST_FILES = 500;
const MOST_SHOWN = 50;
/** A longer text is not drawn, only read. */
const MOST_PASTED = 100_000;
const MOST_OF_ONE = 300;
const PASTED = "what was pasted";

/** Reads files of at most 10 MiB together; what is not read says why. */
const readFiles = async (files: readonly File[]): Promise<readonly Material[]> => {
  const material: Material[] = [];
  let left = MOST_IMPORTED;
  for (const file of files) {
    const { name, size } = file;
    if (size > MOST_IMPORTED) material.push({ file: name, read: { problem: TOO_LARGE } });
    else if (size > left) material.push({ file: name, read: { problem: "The files exceed 10 MiB in total." } });
    else {
      left -= size;
      const text = await file.text().catch(() => null);
      const read =
        text === null ? { problem: "Couldn’t read it. To add a folder, use “Choose a folder”." } : readCalls(text);
      material.push({ file: name, read });
    }
  }
  return material;
};

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
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(currentTarget.files ?? [])]);
    // A file that was changed can be chosen again.
    currentTarget.value = "";
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    onFiles([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped can be chosen with the buttons, too
    <div className="stack row-3" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <TextAreaField
        label="HAR or cURL commands"
        hint="Paste it, drop files here, or choose files (10 MiB in total). It is read in this window and never executed."
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
      {scenario !== null && <StepList steps={scenario.steps} />}
    </section>
    <section aria-label="Not understood">
      <p className="w5">{leftOut.length === 0 ? "Everything was imported." : "Not imported"}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard */}
      <ul className={styles.drafted} tabIndex={0} aria-label="What, and why">
        {leftOut.slice(0, MOST_SHOWN).map(({ what, why }) => (
          <li key={`${what} ${why}`}>
            <span className="m11">{what.length > MOST_OF_ONE ? `${what.slice(0, MOST_OF_ONE)}…` : what}</span>{" "}
            <span className="t12 t2">{why}</span>
          </li>
        ))}
      </ul>
      {leftOut.length > MOST_SHOWN && <p className="t12 t2">and {formatCount(leftOut.length - MOST_SHOWN)} more</p>}
    </section>
  </>
);

/** A partner's material becomes a scenario draft, with what was not understood listed; then it is kept. */
export const MaterialForm = ({ onDone }: { onDone: () => void }) => {
  const [pasted, setPasted] = useState("");
  const [material, setMaterial] = useState<readonly Material[]>([]);
  const [name, setName] = useState("");
  const all = useQuery(scenariosQuery());
  const keep = useKeepScenario();
  const [, navigate] = useLocation();
  const draft = useMemo(() => (material.length === 0 ? null : draftOf("", material)), [material]);
  const files = material.map(({ file }) => file).filter((file) => file !== PASTED);
  const title = name.trim() || (files.length === 1 && files[0]) || "Drafted scenario";
  const paste = (text: string) => {
    setPasted(text.length > MOST_PASTED ? "" : text);
    setMaterial(text.trim() === "" ? [] : [{ file: PASTED, read: readCalls(text) }]);
  };
  const take = (files: readonly File[]) => {
    if (files.length > MOST_FILES) {
      const problem = `It has ${formatCount(files.length)} files; the limit is ${MOST_FILES}.`;
      notify.failed("Read the folder", new Error(problem));
    } else if (files.length > 0) {
      setPasted("");
      void readFiles(files).then(setMaterial);
    }
  };
  const kept = () => {
    if (!draft?.scenario) return;
    const free = scenarioName(title, all.data?.map((one) => one.name) ?? []);
    keep.mutate(
      { name: free, scenario: { ...draft.scenario, name: title } },
      {
        onSuccess: () => {
          onDone();
          navigate(hrefs.scenario(free));
        },
      },
    );
  };
  return (
    <div className="stack row-3">
      <Source pasted={pasted} onPaste={paste} onFiles={take} />
      {draft && (
        <>
          <TextField label="Name of the scenario" placeholder={title} value={name} onChange={setName} />
          <Steps draft={draft} />
        </>
      )}
      <Refused error={keep.error} />
      <div className="acts-end">
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
