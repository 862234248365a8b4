import { IconDownload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WorldDocument } from "../../../sandbox/contract/control/snapshot-rows.ts";
import { notify } from "../../app/notices.tsx";
import { worldsQuery } from "../../app/world-queries.ts";
import { Button } from "../../components/button.tsx";
import { CheckField } from "../../components/choices.tsx";
import { saveFile } from "../../lib/files.ts";
import { plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { worldsFile } from "./all-worlds.ts";
import { Setting } from "./setting.tsx";
import { UnderWay } from "./under-way.tsx";
import { useRun } from "./use-run.ts";

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
      const secrets = reveal ? "It holds keys and secrets." : "It holds no keys and no secrets.";
      const damaged = left === 0 ? "" : ` ${plural(left, "damaged world")} could not be read and is not in it.`;
      notify.done({ title: `Saved ${saved}: ${plural(documents.length, "world")}`, detail: secrets + damaged });
    });
  return (
    <Setting
      id="export"
      shown={shown}
      about="One file with every world: jobs, orders, calls, deliveries, switches, clock and pictures. Snapshots and checkpoints are not in it. Import makes the worlds of it again, here or elsewhere."
    >
      <CheckField
        label="With keys and secrets"
        hint="Whoever has the file can call as its integrations."
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
