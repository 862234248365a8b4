import { IconApi, IconBan, IconSettings } from "@tabler/icons-react";
import { errorCodes } from "../../../../sandbox/contract/errors.ts";
import { partnerCalls } from "../../../../sandbox/contract/operations/partner-calls.ts";
import { requestsHref } from "../../../domain/exchange/filter.ts";
import { operationTitle } from "../../../domain/exchange/operation-words.ts";
import { hasPlace, hrefs } from "../../places.ts";
import { settings } from "../../settings-list.ts";
import type { KnownEntry } from "./entry.ts";

type Go = (href: string) => void;

/** Every operation a partner calls: in the Console, or its calls where the explorer has none. */
export const operationEntries = (go: Go): KnownEntry[] =>
  Object.keys(partnerCalls).map((operation) => ({
    id: `operation-${operation}`,
    icon: IconApi,
    label: operationTitle(operation),
    words: `${operation} ${operation.replaceAll(".", " ")} operation`,
    aside: <span className="m11 t3 el">{operation}</span>,
    run: () => go(hasPlace("console") ? hrefs.console(operation) : requestsHref({ operation })),
  }));

/** Every error code: the calls that met it. */
export const errorCodeEntries = (go: Go): KnownEntry[] =>
  Object.entries(errorCodes).map(([code, { status, meaning }]) => ({
    id: `code-${code}`,
    icon: IconBan,
    label: code,
    words: `${code.replaceAll("_", " ")} ${status} error code`,
    aside: (
      <>
        <span className="t12 t3 el">{meaning}</span>
        <span className="m11 t3">{status}</span>
      </>
    ),
    run: () => go(requestsHref({ code })),
  }));

/** Every setting, in its place. */
export const settingEntries = (go: Go): KnownEntry[] =>
  settings.map(({ id, title, words }) => ({
    id: `setting-${id}`,
    icon: IconSettings,
    label: title,
    words: `setting settings ${words}`,
    aside: <span className="t12 t3 el">Settings</span>,
    run: () => go(hrefs.setting(id)),
  }));
