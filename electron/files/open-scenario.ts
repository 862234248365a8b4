import { isDeepStrictEqual } from "node:util";
import { scenariosGet, scenariosList, scenariosSave } from "../../sandbox/contract/control/scenario-operations.ts";
import { pathOf } from "../../sandbox/contract/operation.ts";
import { scenarioName } from "../../sandbox/contract/scenario-name.ts";
import type { ReadyLine } from "../../sandbox/service.ts";
import { readOpened } from "./file-dialogs.ts";

type Service = Pick<ReadyLine, "base_url" | "control_token">;

/**
 * Keeps the scenario or reproduction in a file, unless it is kept already.
 *
 * @returns its address in the explorer; rejects with a sentence when the file is no scenario or cannot be read
 */
export async function openScenario(file: string, service: Service): Promise<string> {
  const { name, bytes } = await readOpened(file);
  const scenario = parsed(name, bytes);
  const { items } = (await call(service, pathOf(scenariosList), {})) as { items: { name: string }[] };
  const taken = items.map((item) => item.name);
  const usual = scenarioName(name, []);
  if (taken.includes(usual)) {
    // A damaged one is refused: then this one is kept beside it.
    const kept = await call(service, pathOf(scenariosGet), { name: usual }).catch(() => null);
    if (isDeepStrictEqual((kept as { scenario?: unknown } | null)?.scenario, scenario)) return `/scenarios/${usual}`;
  }
  const free = scenarioName(name, taken);
  await call(service, pathOf(scenariosSave), { name: free, scenario });
  return `/scenarios/${free}`;
}

function parsed(name: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error(`${name} isn’t a scenario: it isn’t JSON.`);
  }
}

async function call({ base_url, control_token }: Service, path: string, body: object): Promise<unknown> {
  const response = await fetch(base_url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${control_token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { message?: string };
  if (!response.ok) throw new Error(answer.message ?? `The service answered ${response.status}.`);
  return answer;
}
