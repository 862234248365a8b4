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

/** The place that requested the key, with its label: "TRC-20397-1". */
interface ReturnLink {
  readonly href: string;
  readonly label: string;
}

/** Truncates labels, because an address can contain any length. */
const cut = (label: string): string => (label.length > 48 ? `${label.slice(0, 47)}…` : label);

/** Parses the return address of another place that needs a key. Only the explorer's own places are accepted. */
export const parseReturnLink = ({
  back,
  back_label,
}: Pick<InstallParams, "back" | "back_label">): ReturnLink | null => {
  const here = "http://explorer.invalid";
  if (!(back.startsWith("/") && URL.canParse(back, here))) return null;
  const { origin, pathname, search, hash } = new URL(back, here);
  // Only the browser's own notation is accepted, which excludes ambiguous addresses.
  if (origin !== here || pathname + search + hash !== back) return null;
  const place = placeAt(pathname);
  return place ? { href: back, label: cut(back_label.trim()) || place.title } : null;
};

/** Returns the link back to the place that requested the key, from the address; null without one. */
export const useReturnLink = (): ReturnLink | null => {
  const { values } = useSearchParamsOf(installParams);
  return useMemo(() => parseReturnLink(values), [values]);
};

const draftName = (world: string): DraftName => ({ name: `install-consent.${world}` });
/**
 * State for the consent page, to recognize its response. `waiting` is the part of the address with the link back, which
 * the redirect drops.
 */
const emptyRequest = { state: "", side: "", client_id: "", waiting: "" };

/** The sandbox's consent page (D21), which redirects to `redirect_uri` with `code` and `state`. */
export const consentAddress = (
  request: { readonly client_id: string; readonly redirect_uri: string; readonly state: string },
  origin: string,
  world: string,
): string => {
  const address = new URL("/__oauth/authorize", origin);
  const named = world === DEFAULT_WORLD ? {} : { world };
  address.search = new URLSearchParams({ ...request, ...named }).toString();
  return address.href;
};

/** Leaves for the consent page, like a partner's app. */
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

type ReturnParams = Pick<InstallParams, "code" | "state" | "error">;

/** Returns the consent page's response in an address; null for none. */
export const parseReturned = ({ code, state, error }: ReturnParams, stored: unknown) => {
  if (code === "" && error === "") return null;
  const sent = restoredDraft(emptyRequest, stored);
  const side: Side = sent.side === "supplier" ? "supplier" : "repairer";
  // A wrong state may mean that the code belongs to someone else.
  if (sent.state === "" || state !== sent.state) return { kind: "foreign", side } as const;
  const { client_id, waiting } = sent;
  return { kind: code === "" ? "denied" : "code", side, code, client_id, waiting } as const;
};

/** Removes the consent page's response from the address, and continues the flow of the requesting side with its code. */
export const useReturned = (): void => {
  const { values, change } = useSearchParamsOf(installParams);
  const world = useWorld();
  const client = useQueryClient();
  useEffect(() => {
    const returned = parseReturned(values, readDraft(draftName(world)));
    if (!returned) return;
    const { kind, side } = returned;
    useInstall.setState({ returned: { side, kind } });
    if (kind === "code")
      void takeCode(client, world, side, { access_code: returned.code, client_id: returned.client_id });
    // The request's `state` is valid for one response only.
    writeDraft(draftName(world), null);
    // Restores the link back to the requesting place.
    const { back, back_label } = kind === "foreign" ? values : installParams.parse(returned.waiting);
    change({ code: "", state: "", error: "", back, back_label, sides: side });
  }, [values, change, world, client]);
};

/** Applies a link's organization, whose key is missing. */
export const useRequestedInstall = (): void => {
  const { values, change } = useSearchParamsOf(installParams);
  const { organization, scope } = values;
  useEffect(() => {
    if (organization === null || scope === null) return;
    chooseOrganization(scope, organization);
    // Applied once: a reload must not undo later choices.
    change({ organization: null, scope: null, sides: scope });
  }, [organization, scope, change]);
};
