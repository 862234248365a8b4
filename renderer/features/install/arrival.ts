import { useEffect, useMemo } from "react";
import type { Client, Side } from "../../../sandbox/contract/control/rows.ts";
import { type InstallParams, installParams, places } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { type DraftName, readDraft, restoredDraft, writeDraft } from "../../lib/draft.ts";
import { useSearchParamsOf } from "../../lib/search-params.ts";
import { useTakeCode } from "./flow.ts";
import { useInstall } from "./install-store.ts";

/** Where a person came from to get a key, and what to call it: "TRC-20397-1". */
interface WayBack {
  readonly href: string;
  readonly label: string;
}

interface Known {
  readonly path: string;
  readonly title: string;
}

/** What is open at a place's detail, where the link that led here does not name it. */
const details: Readonly<Record<string, string>> = { "/jobs": "the job", "/procurements": "the order" };
const LONGEST_LABEL = 48;

const holds = ({ path }: Known, pathname: string): boolean =>
  path === "/" ? pathname === "/" : pathname === path || pathname.startsWith(`${path}/`);

/** An address of one of the explorer's places, written as the browser would write it itself; null for anything else. */
const placeOf = (address: string, places: readonly Known[]): Known | null => {
  const here = "http://explorer.invalid";
  if (!(address.startsWith("/") && URL.canParse(address, here))) return null;
  const { origin, pathname, search, hash } = new URL(address, here);
  if (origin !== here || pathname + search + hash !== address) return null;
  return places.find((place) => holds(place, pathname)) ?? null;
};

const labelled = (asked: string, { path, title }: Known, address: string): string => {
  const text = asked.replace(/\s+/g, " ").trim();
  if (text !== "") return text.length <= LONGEST_LABEL ? text : `${text.slice(0, LONGEST_LABEL - 1)}…`;
  return (address.startsWith(`${path}/`) && details[path]) || title;
};

/** Other places send a person here for a key they lack, and want them back. Only the explorer's own places count. */
export const wayBackIn = (
  asked: Pick<InstallParams, "back" | "back_label">,
  places: readonly Known[],
): WayBack | null => {
  const place = placeOf(asked.back, places);
  return place === null ? null : { href: asked.back, label: labelled(asked.back_label, place, asked.back) };
};

/** Where this install was asked for, as the address says it; null when nobody waits for the key. */
export const useWayBack = (): WayBack | null => {
  const { values } = useSearchParamsOf(installParams);
  return useMemo(() => wayBackIn(values, places), [values]);
};

/** What this window sent along to the consent page, to know its own answer by. */
interface SentAlong {
  readonly state: string;
  readonly side: Side;
  readonly client_id: string;
  /** The part of this place's address that says who waits for the key; the redirect takes none of it along. */
  readonly waiting: string;
}

/** What the consent page sent back. */
type Returned =
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

const returnedTo = (answer: Answer, world: string): Returned | null => returnedIn(answer, readDraft(draftName(world)));

/** An answer is taken once. */
const forgetSentAlong = (world: string): void => writeDraft(draftName(world), null);

/** Takes what the consent page sent back out of the address: a code goes on in the flow of the side that asked. */
export const useReturned = (): void => {
  const { values, change } = useSearchParamsOf(installParams);
  const world = useWorld();
  const takeCode = useTakeCode();
  const { show, tellReturned } = useInstall();
  useEffect(() => {
    const returned = returnedTo(values, world);
    if (!returned) return;
    show(returned.side);
    if (returned.kind === "code") void takeCode(returned.side, returned.code, returned.client_id);
    tellReturned(returned.kind === "code" ? null : { side: returned.side, kind: returned.kind });
    forgetSentAlong(world);
    // Who waits for the key still does.
    const { back, back_label } = returned.kind === "foreign" ? values : installParams.parse(returned.waiting);
    change({ code: "", state: "", error: "", back, back_label });
  }, [values, change, world, show, takeCode, tellReturned]);
};

/** Other places link here with the organization whose key they lack. */
export const useAskedFor = (): void => {
  const { values, change } = useSearchParamsOf(installParams);
  const { organization, scope } = values;
  const { show, chooseOrganization } = useInstall();
  useEffect(() => {
    if (organization === null || scope === null) return;
    show(scope);
    chooseOrganization(scope, organization);
    // Asked for once: what the person chooses from here on is not undone by a reload.
    change({ organization: null, scope: null });
  }, [organization, scope, show, chooseOrganization, change]);
};
