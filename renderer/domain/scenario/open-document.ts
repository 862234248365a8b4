import type { QueryClient } from "@tanstack/react-query";
import { scenarioName } from "../../../sandbox/contract/scenario-name.ts";
import { goTo } from "../../kernel/addresses/addresses.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { currentLocation } from "../../kernel/addresses/navigate-after.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { isObject } from "../../lib/diff.ts";
import type { OpenedFile } from "../../lib/files.ts";
import { callControl } from "../../lib/service-client.ts";
import { currentWorld } from "../../lib/session.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { usePendingText } from "../exchange/pending-call.ts";

const here = { world: DEFAULT_WORLD };

const parseJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    if (/^\s*<!doctype html/i.test(text))
      throw new Error(`${name} is a page, such as a shared story. Open it in a browser.`);
    throw new Error(`${name} is not valid JSON.`);
  }
};

/** Returns whether a document contains recorded HTTP calls, as exported by browsers and proxies. */
const isHar = (value: unknown): boolean => isObject(value) && isObject(value.log);

/** Saves a scenario unless an equal one exists under its name. @returns its name */
const saveScenario = async (file: string, scenario: unknown): Promise<string> => {
  const taken = (await callControl("scenarios.list", here)).items.map(({ name }) => name);
  const usual = scenarioName(file, []);
  if (taken.includes(usual)) {
    // A damaged saved file is refused; this one then gets another name.
    const stored = await callControl("scenarios.get", { ...here, name: usual }).catch(() => null);
    if (stored && JSON.stringify(stored.scenario) === JSON.stringify(scenario)) return usual;
  }
  const { name, title } = await callControl("scenarios.save", { ...here, name: scenarioName(file, taken), scenario });
  const link = { href: hrefs.scenario(name), label: "Open it", world: currentWorld() };
  notify.done({ title: `Saved “${title}”`, link });
  return name;
};

/**
 * Opens a file that was dropped, chosen or double-clicked: saves and shows a scenario or reproduction, and offers a
 * HAR's calls to the Console. Rejects with a sentence.
 */
export const openDocument = async ({ name, bytes }: OpenedFile, client: QueryClient): Promise<void> => {
  const askedAt = currentLocation();
  const text = new TextDecoder().decode(bytes);
  const value = parseJson(name, text);
  if (isHar(value)) {
    usePendingText.getState().offer(text);
    goTo(hrefs.importCalls);
    return;
  }
  if (!isObject(value) || !("scenario" in value)) throw new Error(`${name} isn’t a scenario, a reproduction or a HAR.`);
  const savedName = await saveScenario(name, value);
  await client.invalidateQueries({ queryKey: serviceKeys.scenarios });
  if (currentLocation() === askedAt) goTo(hrefs.scenario(savedName));
};
