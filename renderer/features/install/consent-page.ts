import type { Client, Side } from "../../../sandbox/contract/control/rows.ts";
import { type InstallParams, installParams } from "../../app/places.ts";
import { type DraftName, readDraft, restoredDraft, writeDraft } from "../../lib/draft.ts";

/** What this window sent along to the consent page, to know its own answer by. */
interface SentAlong {
  readonly state: string;
  readonly side: Side;
  readonly client_id: string;
  /** The part of this place's address that says who waits for the key; the redirect takes none of it along. */
  readonly waiting: string;
}

/** What the consent page sent back. */
export type Returned =
  | {
      readonly kind: "code";
      readonly side: Side;
      readonly code: string;
      readonly client_id: string;
      readonly waiting: string;
    }
  | { readonly kind: "denied"; readonly side: Side; readonly waiting: string }
  | { readonly kind: "foreign"; readonly side: Side };

const draftName = (world: string): DraftName => ({ name: `install-consent.${world}` });
const nothing: Record<keyof SentAlong, string> = { state: "", side: "", client_id: "", waiting: "" };

/** The consent page of the sandbox (D21), which sends the browser back to this place with `code` and `state`. */
export const consentAddress = (sent: Pick<SentAlong, "state" | "client_id">, origin: string, world: string): string => {
  const back = new URL("/install", origin);
  const address = new URL("/__oauth/authorize", origin);
  if (world !== "default") for (const url of [back, address]) url.searchParams.set("world", world);
  address.searchParams.set("client_id", sent.client_id);
  address.searchParams.set("redirect_uri", back.href);
  address.searchParams.set("state", sent.state);
  return address.href;
};

/** Leaves this page for the consent page, as a partner's app sends a person there. */
export const goToConsentPage = (client: Client, side: Side, world: string): void => {
  const { back, back_label } = installParams.parse(window.location.search);
  const waiting = installParams.format("", { back, back_label });
  const sent = { state: crypto.randomUUID(), side, client_id: client.client_id, waiting };
  writeDraft(draftName(world), sent);
  window.location.assign(consentAddress(sent, window.location.origin, world));
};

type Answer = Pick<InstallParams, "code" | "state" | "error">;

/** What an address of this place brings back from the consent page; null when it brings nothing. */
export const returnedIn = ({ code, state, error }: Answer, stored: unknown): Returned | null => {
  if (code === "" && error === "") return null;
  const sent = restoredDraft(nothing, stored);
  const side = sent.side === "supplier" ? "supplier" : "repairer";
  // Whoever cannot hand back the state may have made the code for someone else.
  if (sent.state === "" || state !== sent.state) return { kind: "foreign", side };
  const { client_id, waiting } = sent;
  return code === "" ? { kind: "denied", side, waiting } : { kind: "code", side, code, client_id, waiting };
};

export const returnedTo = (answer: Answer, world: string): Returned | null =>
  returnedIn(answer, readDraft(draftName(world)));

/** An answer is taken once. */
export const forgetSentAlong = (world: string): void => writeDraft(draftName(world), null);
