import { useLocation } from "wouter";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Attempt, DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { bytesFromBase64, bytesFromText } from "../../../lib/bytes.ts";
import { keptIn } from "../../../lib/storage.ts";
import { addresses } from "../addresses.ts";
import { exactText, fromBase64, signatureIn, toBase64 } from "../message/notification.ts";

export interface Pasted {
  readonly body: string;
  readonly coding: "text" | "base64";
  /** A value, or headers as they came. */
  readonly header: string;
  /** Whose secret it is checked with: `body`, of the integration the body names; `pasted`; or an integration's id. */
  readonly secretOf: string;
  /** The one that was pasted. */
  readonly secret: string;
  /** The moment it is judged at, as it was typed; empty: now. */
  readonly at: string;
  /** Where it was loaded from, in words; null for what a person pasted. */
  readonly from: string | null;
}

/** What another page opens the lab with. */
export interface Loaded {
  readonly body: Uint8Array;
  readonly header: string | null;
  readonly at: string;
  readonly from: string;
}

const empty: Pasted = { body: "", coding: "text", header: "", secretOf: "body", secret: "", at: "", from: null };

/** Text where the field keeps every byte of it; a field of text turns CR LF into LF. */
export const pastedBody = (bytes: Uint8Array): Pick<Pasted, "body" | "coding"> => {
  const text = exactText(bytes);
  return text === null || text.includes("\r")
    ? { body: toBase64(bytes), coding: "base64" }
    : { body: text, coding: "text" };
};

/** The bytes a pasted body stands for; null when it is not what it is said to be. */
export const bytesOfBody = ({ body, coding }: Pick<Pasted, "body" | "coding">): Uint8Array | null =>
  coding === "text" ? bytesFromText(body) : fromBase64(body.replace(/\s/g, ""));

/** What of an attempt the lab begins with. */
export const attemptForLab = (
  { event_type, label }: Pick<DeliveryRow, "event_type" | "label">,
  attempt: Pick<Attempt, "number" | "started_at" | "request_headers" | "request_body_base64">,
): Loaded => ({
  body: bytesFromBase64(attempt.request_body_base64),
  header: signatureIn(attempt.request_headers),
  at: attempt.started_at,
  from: `attempt ${attempt.number} of ${event_type} ${label}`,
});

/** What the lab holds. It outlives a reload of the window; a secret that was pasted does not. */
export const useLab = create<Pasted>()(
  persist(() => empty, {
    name: "explorer.lab",
    version: 2,
    storage: keptIn("window"),
    // What names a secret that is not kept would name nothing.
    partialize: ({ secretOf, ...state }) => ({
      ...state,
      secret: "",
      secretOf: secretOf === "pasted" ? "body" : secretOf,
    }),
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
