import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Client, Side } from "../../../sandbox/contract/control/rows.ts";
import { type InstallParams, installParams } from "../../kernel/addresses/hrefs.ts";
import { placeAt } from "../../kernel/addresses/places.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { type DraftName, readDraft, restoredDraft, writeDraft } from "../../lib/draft.ts";
import { useSearchParamsOf } from "../../lib/search-params.ts";
import { inWorld } from "../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { takeCode } from "./flow.ts";
import { chooseOrganization, useInstall } from "./install-store.ts";

/** Where a person came from to get a key, and what to call it: "TRC-20397-1". */
interface ReturnLink {
  readonly href: string;
  readonly label: string;
}

/** A label of any length may stand in an address. */
const cut = (label: string): string => (label.length > 48 ? `${label.slice(0, 47)}…` : label);

/** Other places send a person here for a key they lack, and want them back. Only the explorer's own places count. */
export const parseReturnLink = ({
  back,
  back_label,
}: Pick<InstallParams, "back" | "back_label">): ReturnLink | null => {
  const here = "http://explorer.invalid";
  if (!(back.startsWith("/") && URL.canParse(back, here))) return null;
  const { origin, pathname, search, hash } = new URL(back, here);
  // As the browser would write it itself, so that nothing else is meant by it.
  if (origin !== here || pathname + search + hash !== back) return null;
  const place = placeAt(pathname);
  return place ? { href: back, label: cut(back_label.trim()) || place.title } : null;
};

/** Where this install was asked for, as the address says it; null when nobody waits for the key. */
export const useReturnLink = (): ReturnLink | null => {
  const { values } = useSearchParamsOf(installParams);
  return useMemo(() => parseReturnLink(values), [values]);
};

const draftName = (world: string): DraftName => ({ name: `install-consent.${world}` });
/**
 * What this window sends along to the consent page, to know its own answer by. `waiting` is the part of this place's
 * address that says who waits for the key; the redirect takes none of it along.
 */
const nothing = { state: "", side: "", client_id: "", waiting: "" };

/** The consent page of the sandbox (D21), which sends the browser back to `redirect_uri` with `code` and `state`. */
export const consentAddress = (
  asked: { readonly client_id: string; readonly redirect_uri: string; readonly state: string },
  origin: string,
  world: string,
): string => {
  const address = new URL("/__oauth/authorize", origin);
  const named = world === DEFAULT_WORLD ? {} : { world };
  address.search = new URLSearchParams({ ...asked, ...named }).toString();
  return address.href;
};

/** Leaves this page for the consent page, as a partner's app sends a person there. */
export const goToConsentPage = (client: Client, side: Side, world: string): void => {
  const { back, back_label } = installParams.parse(window.location.search);
  const waiting = installParams.format("", { back, back_label });
  const { client_id } = client;
  const state = crypto.randomUUID();
  const { origin } = window.location;
  writeDraft(draftName(world), { state, side, client_id, waiting });
  window.location.assign(
    consentAddress({ client_id, redirect_uri: origin + inWorld("/install", world), state }, origin, world),
  );
};

type Answer = Pick<InstallParams, "code" | "state" | "error">;

/** What an address of this place brings back from the consent page; null when it brings nothing. */
export const returnedIn = ({ code, state, error }: Answer, stored: unknown) => {
  if (code === "" && error === "") return null;
  const sent = restoredDraft(nothing, stored);
  const side: Side = sent.side === "supplier" ? "supplier" : "repairer";
  // Whoever cannot hand back the state may have made the code for someone else.
  if (sent.state === "" || state !== sent.state) return { kind: "foreign", side } as const;
  const { client_id, waiting } = sent;
  return { kind: code === "" ? "denied" : "code", side, code, client_id, waiting } as const;
};

/** Takes what the consent page sent back out of the address: a code goes on in the flow of the side that asked. */
export const useReturned = (): void => {
  const { values, change } = useSearchParamsOf(installParams);
  const world = useWorld();
  const client = useQueryClient();
  useEffect(() => {
    const returned = returnedIn(values, readDraft(draftName(world)));
    if (!returned) return;
    const { kind, side } = returned;
    useInstall.setState({ returned: { side, kind } });
    if (kind === "code")
      void takeCode(client, world, side, { access_code: returned.code, client_id: returned.client_id });
    // An answer is taken once.
    writeDraft(draftName(world), null);
    // Who waits for the key still does.
    const { back, back_label } = kind === "foreign" ? values : installParams.parse(returned.waiting);
    change({ code: "", state: "", error: "", back, back_label, sides: side });
  }, [values, change, world, client]);
};

/** Other places link here with the organization whose key they lack. */
export const useAskedFor = (): void => {
  const { values, change } = useSearchParamsOf(installParams);
  const { organization, scope } = values;
  useEffect(() => {
    if (organization === null || scope === null) return;
    chooseOrganization(scope, organization);
    // Asked for once: what the person chooses from here on is not undone by a reload.
    change({ organization: null, scope: null, sides: scope });
  }, [organization, scope, change]);
};
