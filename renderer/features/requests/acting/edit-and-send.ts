import { isConnectionHeader } from "../../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { headerLines, parseHeaders } from "../../../domain/exchange/header-lines.ts";
import type { CallChanges } from "./send-again.ts";

/** An editable call, all as text. */
export interface Draft {
  readonly world: string;
  /** The integration to send it as: another one, none, or the original. */
  readonly as: string;
  readonly method: string;
  readonly path: string;
  /** One per line: "name: value". */
  readonly headers: string;
  readonly body: string;
}

export const AS_BEFORE = "as before";
export const NO_KEY = "none";

/** The parser's message about invalid JSON; null when valid or empty. */
export const jsonError = (text: string): string | null => {
  if (text.trim() === "") return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

export const replayDraft = (detail: RequestDetail, world: string, body: string): Draft => ({
  world,
  as: AS_BEFORE,
  method: detail.method,
  path: detail.path,
  headers: headerLines(detail.request_headers.filter(([name]) => !isConnectionHeader(name))),
  body,
});

/** Returns whether there is anything to restore. */
export const isEdited = (draft: Draft, recorded: Draft): boolean =>
  Object.keys(draftChanges(draft, recorded)).length > 0;

/** Returns the differences from the recorded call, which replace its values. */
export const draftChanges = (draft: Draft, recorded: Draft): CallChanges => ({
  ...(draft.world === recorded.world ? {} : { to: draft.world }),
  ...(draft.as === AS_BEFORE ? {} : { integration_id: draft.as === NO_KEY ? null : draft.as }),
  ...(draft.method === recorded.method ? {} : { method: draft.method }),
  ...(draft.path === recorded.path ? {} : { path: draft.path }),
  ...(draft.headers === recorded.headers ? {} : { headers: parseHeaders(draft.headers) }),
  ...(draft.body === recorded.body ? {} : { body: draft.body }),
});
