import { useMutation, useQueryClient } from "@tanstack/react-query";
import { scenarioFileName } from "../../../sandbox/contract/scenario-name.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { jsonFile } from "../../kernel/notices/file-buttons.tsx";
import { notify } from "../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { itemsQuery } from "../../lib/control-query.ts";
import { isObject } from "../../lib/diff.ts";
import { saveFile } from "../../lib/files.ts";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";

/**
 * Shipped and saved scenarios. They belong to the service; a read of another world would count as a call to it (D82).
 */
export const scenariosQuery = () => itemsQuery(serviceKeys.scenarios, "scenarios.list", { world: DEFAULT_WORLD });

/** Saves a scenario; the caller shows refusals. */
export const useKeepScenario = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: { readonly name: string; readonly scenario: unknown; readonly replace?: boolean }) =>
      callControl("scenarios.save", { world: DEFAULT_WORLD, ...request }),
    onSuccess: ({ name, title }) =>
      notify.done({ title: `Saved “${title}”`, link: { href: hrefs.scenario(name), label: "Open it", world } }),
    onSettled: () => client.invalidateQueries({ queryKey: serviceKeys.scenarios }),
  });
};

export const useExportScenario = () =>
  useMutation({
    mutationFn: ({ name, scenario }: { readonly name: string; readonly scenario: unknown }) =>
      saveFile({
        ...jsonFile(name, scenario),
        name: scenarioFileName(name, isObject(scenario) && scenario.start !== undefined),
      }),
    onSuccess: (saved) => {
      if (saved !== null) notify.done({ title: `Saved ${saved}` });
    },
    onError: (error, { name }) => notify.failed(`Save ${name}`, error),
  });
