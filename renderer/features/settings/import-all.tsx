import { IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WorldDocument } from "../../../sandbox/contract/control/snapshot-rows.ts";
import { knownWorlds } from "../../app/live/known-worlds.ts";
import { notify } from "../../app/notices.tsx";
import { worldsQuery } from "../../app/world-queries.ts";
import { Button } from "../../components/button.tsx";
import { RadioField } from "../../components/choices.tsx";
import { useWorldsChanged } from "../../domain/world/mutations.ts";
import { openFile } from "../../lib/files.ts";
import { plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { currentWorld } from "../../lib/session.ts";
import { freeName } from "../../lib/world-name.ts";
import { readWorldsFile } from "./all-worlds.ts";
import { Setting } from "./setting.tsx";
import { UnderWay } from "./under-way.tsx";
import { useRun } from "./use-run.ts";

const ways = [
  { value: "beside", label: "Beside those there are", hint: "A world whose name is taken gets another one." },
  { value: "instead", label: "Instead of those of the same name", hint: "Each is kept as a checkpoint before." },
] as const;
type Way = (typeof ways)[number]["value"];

/** Makes a world of a document: a snapshot of it first, so that the world is the old one or the new one. */
const make = async (world: string, document: WorldDocument, signal: AbortSignal): Promise<void> => {
  const { name } = await callControl("snapshots.import", { world, document }, { signal });
  if (world === currentWorld()) knownWorlds.expect(world);
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
          title: `${plural(made.length, "world")} of ${file.name}: ${made.join(", ") || "none"}`,
          detail: rest === 0 ? "Their subscriptions are paused." : `${plural(rest, "world")} of it did not come in.`,
        });
      }
    });
  return (
    <Setting
      id="import"
      shown={shown}
      about="Makes the worlds of a file again that “Export everything”, or the export of one world, made."
    >
      <RadioField label="Worlds of the file come" name="import-way" options={ways} value={way} onChange={setWay} />
      {progress === null ? (
        <span>
          <Button icon={IconUpload} onClick={() => void open()}>
            Import a file
          </Button>
        </span>
      ) : (
        <UnderWay doing="Importing" progress={progress} onCancel={cancel} />
      )}
    </Setting>
  );
};
