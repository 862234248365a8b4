import { useLocation } from "wouter";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Attempt, DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { bytesFromBase64, textFromBytes } from "../../../lib/bytes.ts";
import { keptIn } from "../../../lib/storage.ts";
import { addresses } from "../addresses.ts";
import { exactText, fromBase64, fromHex, signatureIn, toBase64, toHex } from "../message/notification.ts";

export interface Pasted {
  readonly body: string;
  readonly coding: "text" | "base64" | "hex";
  /** A value, or headers as they came. */
  readonly header: string;
  /** Whose secret it is checked with: `body`, of the integration the body names; `pasted`; or an integration's id. */
  readonly secretOf: string;
  /** The one that was pasted. */
  readonly secret: string;
  /** The signature the receiver computed itself; empty where that is not known. */
  readonly theirs: string;
  /** The moment it is judged at, as it was typed; empty: now. */
  readonly at: string;
  /** Where it was taken from, in words; null for what a person pasted. */
  readonly from: string | null;
}

/** What another page opens the lab with. */
export interface Loaded {
  readonly body: Uint8Array;
  readonly header: string | null;
  readonly theirs?: string;
  readonly at: string;
  readonly from: string;
}

const empty: Pasted = {
  body: "",
  coding: "text",
  header: "",
  secretOf: "body",
  secret: "",
  theirs: "",
  at: "",
  from: null,
};

/** Text where the field keeps every byte of it; a field of text turns CR LF into LF. */
export const pastedBody = (bytes: Uint8Array): Pick<Pasted, "body" | "coding"> => {
  const text = exactText(bytes);
  return text === null || text.includes("\r")
    ? { body: toBase64(bytes), coding: "base64" }
    : { body: text, coding: "text" };
};

/** The bytes a pasted body stands for; null when it is not what it is said to be. */
export const bytesOfBody = ({ body, coding }: Pick<Pasted, "body" | "coding">): Uint8Array | null => {
  if (coding === "text") return new TextEncoder().encode(body);
  const joined = body.replace(/\s/g, "");
  if (joined === "") return new Uint8Array();
  return coding === "base64" ? fromBase64(joined) : fromHex(joined);
};

const EDITED = ", edited";
const edited = (from: string | null) => from && (from.endsWith(EDITED) ? from : from + EDITED);

/** What was loaded is judged at its moment also with another header. */
export const withHeader = ({ from }: Pick<Pasted, "from">, header: string) => ({ header, from: edited(from) });

/** How much of a text another begins and ends with, in parts of the longer one. */
const shared = (one: string, other: string): number => {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return (start + end) / Math.max(one.length, other.length);
};

/**
 * What was loaded is judged at its moment also where a part of its body is another, but was answered otherwise. A body
 * that has little of it is one of its own, and judged now.
 */
export const withBody = (before: Pick<Pasted, "body" | "from" | "at" | "theirs">, body: string) => {
  const { from, at, theirs } = before;
  if (from === null) return { body, from, at, theirs };
  return shared(before.body, body) > 0.5
    ? { body, from: edited(from), at, theirs: "" }
    : { body, from: null, at: "", theirs: "" };
};

/** Base64 or hexadecimal digits of 32 bytes that stand alone in a text. */
const SIGNATURES = /(?<![\w+/=])(?:[A-Za-z0-9+/]{43}=|[0-9a-f]{64})(?![\w+/=])/gi;

/** The signature a receiver says it computed: what looks like one in its answer, and is not the one it was sent. */
export const computedIn = ({
  request_headers,
  response_body_base64,
}: Pick<Attempt, "request_headers" | "response_body_base64">): string => {
  const sent = signatureIn(request_headers);
  // JSON may write a slash with a backslash before it.
  const answer = textFromBytes(bytesFromBase64(response_body_base64)).replaceAll("\\/", "/");
  const others = answer.match(SIGNATURES)?.filter((one) => one !== sent) ?? [];
  // The one it was sent may stand there in hex too; where there is no other, that is the one it computed.
  const decoded = toHex(fromBase64(sent ?? "") ?? new Uint8Array());
  return others.find((one) => one.toLowerCase() !== decoded) ?? others[0] ?? "";
};

/** What of an attempt the lab begins with. */
export const attemptForLab = (
  { event_type, label }: Pick<DeliveryRow, "event_type" | "label">,
  attempt: Pick<Attempt, "number" | "started_at" | "request_headers" | "request_body_base64" | "response_body_base64">,
): Loaded => ({
  body: bytesFromBase64(attempt.request_body_base64),
  header: signatureIn(attempt.request_headers),
  theirs: computedIn(attempt),
  at: attempt.started_at,
  from: `attempt ${attempt.number} of ${event_type} ${label}`,
});

/** Whether what the lab holds is kept over a reload: a window may keep some 5 MB, and JSON writes a character with up to six. */
export const isKept = ({ body }: Pick<Pasted, "body">): boolean => body.length < 800_000;

/** What the lab holds. It outlives a reload of the window; a secret that was pasted does not. */
export const useLab = create<Pasted>()(
  persist(() => empty, {
    name: "explorer.lab",
    version: 1,
    storage: keptIn("window"),
    // What names a secret that is not kept would name nothing.
    partialize: ({ secretOf, ...state }) =>
      isKept(state) ? { ...state, secret: "", secretOf: secretOf === "pasted" ? "body" : secretOf } : empty,
  }),
);

export const changeLab = (part: Partial<Pasted>) => useLab.setState(part);
export const clearLab = () => changeLab(empty);
export const loadLab = ({ body, header, ...loaded }: Loaded) =>
  changeLab({ ...empty, ...pastedBody(body), header: header ?? "", ...loaded });

/** Takes a notification to the lab, where its parts can be changed. */
export const useOpenInLab = () => {
  const [, navigate] = useLocation();
  return (loaded: Loaded) => {
    loadLab(loaded);
    navigate(addresses.lab);
  };
};
