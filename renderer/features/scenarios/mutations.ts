import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { RunMode } from "../../../sandbox/contract/control/scenario-operations.ts";
import { REPRODUCTION_EXTENSION } from "../../../sandbox/contract/scenario-name.ts";
import { openDocument } from "../../domain/scenario/open-document.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { currentLocation } from "../../kernel/addresses/navigate-after.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { openFile } from "../../lib/files.ts";
import { plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";

const here = { world: DEFAULT_WORLD };

const useChanged = () => {
  const client = useQueryClient();
  return {
    scenarios: () => client.invalidateQueries({ queryKey: serviceKeys.scenarios }),
    runs: () => client.invalidateQueries({ queryKey: serviceKeys.runs }),
  };
};

/** Options of a run; absent ones have the service's defaults. */
interface RunOptions {
  readonly mode?: RunMode;
  readonly policies?: Readonly<Record<string, string>>;
}

export const useStartRun = (name: string) => {
  const changed = useChanged();
  return useMutation({
    mutationFn: (options: RunOptions) => callControl("runs.start", { ...here, name, ...options }),
    onError: (error) => notify.failed(`Run ${name}`, error),
    onSettled: changed.runs,
  });
};

/**
 * Starts several runs, each in its own world. A failed start doesn't stop the others; the notice contains the number.
 */
export const useStartRuns = () => {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (names: readonly string[]) => {
      const failed: { readonly name: string; readonly error: unknown }[] = [];
      for (const name of names) {
        try {
          await callControl("runs.start", { ...here, name });
        } catch (error) {
          failed.push({ name, error });
        }
      }
      return failed;
    },
    onSuccess: (failed, names) => {
      const [first] = failed;
      if (first === undefined) return;
      const started = `${names.length - failed.length} of ${plural(names.length, "run")} started.`;
      const why = first.error instanceof Error ? first.error.message : String(first.error);
      notify.failed("Start every run", new Error(`${started} First failure: ${first.name}. ${why}`));
    },
    onSettled: changed.runs,
  });
};

export const useStepRun = (id: string) => {
  const changed = useChanged();
  return useMutation({
    mutationFn: (to: number | null) => callControl("runs.step", { ...here, id, ...(to === null ? {} : { to }) }),
    onError: (error) => notify.failed("Make the step", error),
    onSettled: changed.runs,
  });
};

/** Stops runs; for finished ones, deletes their worlds. */
export const useStopRuns = () => {
  const changed = useChanged();
  return useMutation({
    mutationFn: (ids: readonly string[]) => Promise.all(ids.map((id) => callControl("runs.stop", { ...here, id }))),
    onError: (error) => notify.failed("Stop the run", error),
    onSettled: changed.runs,
  });
};

/** Deletes a scenario with an undo, except for a damaged one. */
export const useDeleteScenario = () => {
  const changed = useChanged();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: ({ name }: { readonly name: string; readonly scenario: unknown }) =>
      callControl("scenarios.delete", { ...here, name }),
    onMutate: currentLocation,
    onSuccess: (_answer, { name, scenario }, askedAt) => {
      const undo = async () => {
        const undoneAt = currentLocation();
        try {
          await callControl("scenarios.save", { ...here, name, scenario });
          if (currentLocation() === undoneAt) navigate(hrefs.scenario(name));
        } catch (error) {
          notify.failed(`Bring ${name} back`, error);
        }
        await changed.scenarios();
      };
      const offer = scenario === undefined ? null : { label: "Undo", act: undo };
      notify.done({ title: `${name} is deleted`, offer });
      if (currentLocation() === askedAt) navigate(hrefs.scenarios);
    },
    onError: (error, { name }) => notify.failed(`Delete ${name}`, error),
    onSettled: changed.scenarios,
  });
};

/** Opens a file that the user chooses. */
export const useOpenScenario = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const file = await openFile([
        { name: "Scenario, reproduction or HAR", extensions: ["json", REPRODUCTION_EXTENSION, "har"] },
      ]);
      if (file !== null) await openDocument(file, client);
    },
    onError: (error) => notify.failed("Open a scenario", error),
  });
};
