import { useLocation } from "wouter";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Attempt, DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { bytesFromBase64, bytesFromText } from "../../../lib/bytes.ts";
import { createStateStorage } from "../../../lib/storage.ts";
import { addresses } from "../addresses.ts";
import { exactText, findSignature, fromBase64, toBase64 } from "../message/notification.ts";

export interface Pasted {
  readonly body: string;
  readonly coding: "text" | "base64";
  /** A value, or complete headers. */
  readonly header: string;
  /** The secret to use: `body` (of the integration in the body), `pasted`, or an integration's ID. */
  readonly secretOf: string;
  /** The pasted secret. */
  readonly secret: string;
  /** The time of verification as typed; empty: now. */
  readonly at: string;
  /** Label of the source; null for values pasted by a person. */
  readonly from: string | null;
}

/** Values from another page. */
interface Loaded {
  readonly body: Uint8Array;
  readonly header: string | null;
  readonly at: string;
  readonly from: string;
}

const empty: Pasted = { body: "", coding: "text", header: "", secretOf: "body", secret: "", at: "", from: null };

/** Text where the field preserves every byte; text fields convert CR LF to LF. */
export const pastedBody = (bytes: Uint8Array): Pick<Pasted, "body" | "coding"> => {
  const text = exactText(bytes);
  return text === null || text.includes("\r")
    ? { body: toBase64(bytes), coding: "base64" }
    : { body: text, coding: "text" };
};

/** Decodes a pasted body; null in the wrong encoding. */
export const decodePasted = ({ body, coding }: Pick<Pasted, "body" | "coding">): Uint8Array | null =>
  coding === "text" ? bytesFromText(body) : fromBase64(body.replace(/\s/g, ""));

/** The lab's initial values for an attempt. */
export const attemptForLab = (
  { event_type, label }: Pick<DeliveryRow, "event_type" | "label">,
  attempt: Pick<Attempt, "number" | "started_at" | "request_headers" | "request_body_base64">,
): Loaded => ({
  body: bytesFromBase64(attempt.request_body_base64),
  header: findSignature(attempt.request_headers),
  at: attempt.started_at,
  from: `attempt ${attempt.number} of ${event_type} ${label}`,
});

/** The lab's values. They survive a reload of the window, except a pasted secret. */
export const useLab = create<Pasted>()(
  persist(() => empty, {
    name: "explorer.lab",
    version: 2,
    storage: createStateStorage("window"),
    // A reference to a secret that isn't stored would be invalid.
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

/** Opens a notification in the lab, where its parts can be changed. */
export const useOpenInLab = () => {
  const [, navigate] = useLocation();
  return (loaded: Loaded) => {
    loadLab(loaded);
    navigate(addresses.lab);
  };
};
