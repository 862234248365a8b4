import { IconDownload, IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { WorldDocument } from "../../../sandbox/contract/control/snapshot-rows.ts";
import { knownWorlds } from "../../app/live/known-worlds.ts";
import { notify } from "../../app/notices.tsx";
import { worldsQuery } from "../../app/world-queries.ts";
import { Button } from "../../components/button.tsx";
import { CheckField, RadioField } from "../../components/choices.tsx";
import { useWorldsChanged } from "../../domain/world/mutations.ts";
import { openFile, saveFile } from "../../lib/files.ts";
import { plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { freeName } from "../../lib/world-name.ts";
import { readWorldsFile, worldsFile } from "./all-worlds.ts";
import { Setting } from "./setting.tsx";
import styles from "./settings.module.css";

/** How far work on all worlds is: the one under way, and how many of them there are. */
interface Progress {
  readonly world: string;
  readonly number: number;
  readonly of: number;
}

/** Long work that says how far it is and ends when it is cancelled, or when the page goes. */
const useRun = (what: string) => {
  const [progress, setProgress] = useState<Progress | null>(null);
  const abort = useRef<AbortController | null>(null);
  const isCancelled = () => abort.current?.signal.aborted ?? true;
  useEffect(() => () => abort.current?.abort(), []);
  const start = async (work: (signal: AbortSignal, tell: (progress: Progress) => void) => Promise<void>) => {
    const controller = new AbortController();
    abort.current = controller;
    try {
      await work(controller.signal, setProgress);
    } catch (error) {
      if (!isCancelled()) notify.failed(what, error);
    } finally {
      setProgress(null);
    }
  };
  return { progress, start, cancel: () => abort.current?.abort() };
};

/** How far work on all worlds is, with a way to cancel it. */
const UnderWay = ({
  doing,
  progress: { world, number, of },
  onCancel,
}: {
  doing: string;
  progress: Progress;
  onCancel: () => void;
}) => (
  <div className={styles.under}>
    <span className="row wrap">
      <span className="t12 grow" role="status">
        {doing} {world}, {number} of {of}
      </span>
      <Button small onClick={onCancel}>
        Cancel
      </Button>
    </span>
    <progress aria-label={`${doing} all worlds`} value={(number - 1) / of} />
  </div>
);

/** Saves every world as one file. */
export const ExportAll = ({ shown }: { shown: string | undefined }) => {
  const client = useQueryClient();
  const [reveal, setReveal] = useState(false);
  const { progress, start, cancel } = useRun("Export everything");
  const save = () =>
    start(async (signal, tell) => {
      const all = await client.fetchQuery({ ...worldsQuery(), staleTime: 0 });
      const intact = all.filter(({ unavailable }) => unavailable === null);
      const documents: WorldDocument[] = [];
      for (const [index, { name }] of intact.entries()) {
        tell({ world: name, number: index + 1, of: intact.length });
        documents.push((await callControl("snapshots.export", { world: name, reveal }, { signal })).document);
      }
      const now = new Date();
      const saved = await saveFile({
        name: `all-worlds-${now.toISOString().slice(0, 19).replaceAll(":", "")}.json`,
        content: `${JSON.stringify(worldsFile(documents, !reveal, now))}\n`,
        mediaType: "application/json",
      });
      if (saved === null) return;
      const left = all.length - intact.length;
      const secrets = reveal ? "The file contains keys and secrets." : "The file contains no keys or secrets.";
      const damaged =
        left === 0
          ? ""
          : ` ${plural(left, "damaged world")} could not be read and ${left === 1 ? "is" : "are"} not included.`;
      notify.done({ title: `Saved ${saved}: ${plural(documents.length, "world")}`, detail: secrets + damaged });
    });
  return (
    <Setting
      id="export"
      shown={shown}
      about="Saves all worlds in one file, with jobs, orders, calls, deliveries, settings, clock and pictures. Snapshots, checkpoints and scenarios are not included. Use Import to load the file, here or elsewhere."
    >
      <CheckField
        label="Include keys and secrets"
        hint="Anyone with the file can call as its integrations."
        checked={reveal}
        onChange={setReveal}
      />
      {progress === null ? (
        <span>
          <Button icon={IconDownload} onClick={() => void save()}>
            Export everything
          </Button>
        </span>
      ) : (
        <UnderWay doing="Exporting" progress={progress} onCancel={cancel} />
      )}
    </Setting>
  );
};

const ways = [
  { value: "beside", label: "Add as new worlds", hint: "If a name is taken, the world gets a new name." },
  { value: "instead", label: "Replace worlds with the same name", hint: "A checkpoint of each is saved first." },
] as const;
type Way = (typeof ways)[number]["value"];

/** Makes a world of a document: a snapshot of it first, so that the world is the old one or the new one. */
const make = async (world: string, document: WorldDocument, signal: AbortSignal): Promise<void> => {
  const { name } = await callControl("snapshots.import", { world, document }, { signal });
  knownWorlds.expect(world);
  await callControl("snapshots.restore", { world, name });
  await callControl("snapshots.delete", { world, name });
};

/** Makes worlds of a file that was exported here or elsewhere. */
export const ImportAll = ({ shown }: { shown: string | undefined }) => {
  const client = useQueryClient();
  const changed = useWorldsChanged();
  const [way, setWay] = useState<Way>("beside");
  const { progress, start, cancel } = useRun("Import");
  const open = () =>
    start(async (signal, tell) => {
      const file = await openFile([{ name: "Exported worlds", extensions: ["json"] }]);
      if (file === null) return;
      const documents = readWorldsFile(file.name, new TextDecoder().decode(file.bytes));
      const taken = (await client.fetchQuery({ ...worldsQuery(), staleTime: 0 })).map(({ name }) => name);
      const made: string[] = [];
      try {
        for (const [index, document] of documents.entries()) {
          if (signal.aborted) break;
          const world = freeName(document.world, way === "beside" ? [...taken, ...made] : made);
          tell({ world, number: index + 1, of: documents.length });
          await make(world, document, signal);
          made.push(world);
        }
      } finally {
        await changed();
        const rest = documents.length - made.length;
        notify.done({
          title: `Imported ${plural(made.length, "world")} from ${file.name}: ${made.join(", ") || "none"}`,
          detail: rest === 0 ? "Their subscriptions are paused." : `${plural(rest, "world")} could not be imported.`,
        });
      }
    });
  return (
    <Setting
      id="import"
      shown={shown}
      about="Loads the worlds of a file saved with “Export everything” or with the export of one world."
    >
      <RadioField label="Import worlds" name="import-way" options={ways} value={way} onChange={setWay} />
      {progress === null ? (
        <span>
          <Button icon={IconUpload} onClick={() => void open()}>
            Import file
          </Button>
        </span>
      ) : (
        <UnderWay doing="Importing" progress={progress} onCancel={cancel} />
      )}
    </Setting>
  );
};
