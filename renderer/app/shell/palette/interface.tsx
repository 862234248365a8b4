import { Text } from "@mantine/core";
import { IconAdjustments, IconApi, IconArrowRight, IconBan, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { policyNames, policyQuestions } from "../../../../sandbox/contract/control/policies.ts";
import { errorCodes } from "../../../../sandbox/contract/errors.ts";
import { declarationsQuery } from "../../../domain/exchange/declarations.ts";
import { requestsHref } from "../../../domain/exchange/filter.ts";
import { hrefs } from "../../places.ts";
import { settings } from "../../settings-list.ts";
import { type Go, type KnownEntry, known } from "./entry.ts";

/** Every operation that the service declares, in the Console; by the id of a decision ("D24") those that rest on it. */
export const useOperationEntries = (search: string, go: Go): KnownEntry[] => {
  const wanted = search.trim().toUpperCase();
  const { data = [] } = useQuery({ ...declarationsQuery(), enabled: wanted !== "" });
  return data.map(({ id, title, summary, decisions }) => {
    const decision = decisions.find((one) => one.id === wanted);
    const note = decision?.text.replaceAll("`", "") ?? (title === id ? summary : null);
    return {
      id: `operation-${id}`,
      icon: IconApi,
      label: title,
      words: `${id} operation ${decision?.id ?? ""}`,
      aside: (
        <Text variant={note === null ? "mono" : "aside"} c="dimmed" truncate>
          {note ?? id}
        </Text>
      ),
      run: () => go(hrefs.console(id)),
    };
  });
};

/** Every error code: the calls that met it, and the operations that can be made to give it. */
export const errorCodeEntries = (go: Go): KnownEntry[] =>
  Object.entries(errorCodes).flatMap(([code, { status, meaning }]) => [
    {
      id: `code-${code}`,
      icon: IconBan,
      label: `${code}: calls with this error`,
      words: `${status} error code`,
      aside: (
        <>
          <Text variant="aside" truncate>
            {meaning}
          </Text>
          <Text variant="mono" c="dimmed">
            {status}
          </Text>
        </>
      ),
      run: () => go(requestsHref({ code })),
    },
    {
      id: `causes-${code}`,
      icon: IconApi,
      label: `${code}: operations that return it`,
      words: `${status} error code causes make it happen`,
      aside: (
        <Text variant="aside" truncate>
          Console
        </Text>
      ),
      run: () => go(hrefs.consoleSearch(code)),
    },
  ]);

/** Every assumption that a world can change, in its world's page. */
export const assumptionEntries = (world: string, go: Go): KnownEntry[] =>
  policyNames.map((name) => {
    const { question, decision } = policyQuestions[name];
    const words = `${name} ${decision} assumption policy policies switch`;
    const aside = (
      <Text variant="mono" c="dimmed" truncate>
        {name}
      </Text>
    );
    return known(
      `assumption-${name}`,
      IconAdjustments,
      question,
      words,
      () => go(hrefs.assumption(world, name)),
      aside,
    );
  });

/** What lies within the places and is looked for by its own name. */
export const pageEntries = (world: string, go: Go): KnownEntry[] => {
  const page = (href: string, label: string, words: string) =>
    known(`page-${href}`, IconArrowRight, label, words, () => go(href));
  return [
    page("/jobs?form=new", "New job", "insert job form"),
    page("/webhooks/lab", "Signature lab", "verify hmac secret webhooks"),
    page(
      "/webhooks/subscriptions",
      "Subscriptions and drills",
      "scorecard drill test event built-in receiver webhooks",
    ),
    page(requestsHref({ refused: true }), "Refused calls", "errors failed requests"),
    page("/install", "Readiness of integrations", "credentials partner verdict"),
    page(hrefs.faults(world), `Faults of world ${world}`, "arm a fault errors delay hang rate limit"),
    page(hrefs.world(world), `Assumptions of world ${world}`, "policies switches clock"),
    page(hrefs.compareWorld(world), `Compare world ${world}`, "difference snapshot"),
  ];
};

/** Every setting, in its place. */
export const settingEntries = (go: Go): KnownEntry[] =>
  settings.map(({ id, title, words }) => ({
    id: `setting-${id}`,
    icon: IconSettings,
    label: title,
    words: `setting settings ${words}`,
    aside: (
      <Text variant="aside" truncate>
        Settings
      </Text>
    ),
    run: () => go(hrefs.setting(id)),
  }));
