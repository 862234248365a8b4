import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { RunRow } from "../../../sandbox/contract/control/scenario-operations.ts";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { isOver } from "./run-words.ts";

/** Interval of reads in milliseconds, because no feed reports other programs' runs. */
const READ_EVERY_MS = 5_000;
const FOLLOW_EVERY_MS = 400;

const isRunning = (run: Pick<RunRow, "state"> | undefined): boolean => run !== undefined && !isOver(run);

const here = { world: DEFAULT_WORLD };

export const scenarioQuery = (name: string) =>
  queryOptions({
    queryKey: [...serviceKeys.scenarios, name],
    queryFn: ({ signal }) => callControl("scenarios.get", { ...here, name }, { signal }),
  });

/** The service's runs, newest first. */
export const runsQuery = () =>
  queryOptions({
    queryKey: serviceKeys.runs,
    queryFn: async ({ signal }) => (await callControl("runs.list", here, { signal })).items,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? FOLLOW_EVERY_MS : READ_EVERY_MS),
  });

/** A run, read repeatedly until it ends. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...serviceKeys.runs, id],
    queryFn: ({ signal }) => callControl("runs.get", { ...here, id }, { signal }),
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (isRunning(state.data) ? FOLLOW_EVERY_MS : false),
  });

const checkQuery = (text: string | null) =>
  queryOptions({
    queryKey: [...serviceKeys.scenarios, "check", text],
    queryFn:
      text === null
        ? skipToken
        : async ({ signal }) =>
            (await callControl("scenarios.check", { ...here, scenario: JSON.parse(text) as unknown }, { signal }))
              .findings,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });

const nothing: readonly [] = [];

/** Validates a scenario shortly after the last keystroke. @param text JSON; null when invalid */
export const useScenarioCheck = (text: string | null) => {
  const [checkedText] = useDebouncedValue(text, 150);
  return useQuery(checkQuery(checkedText)).data ?? nothing;
};
