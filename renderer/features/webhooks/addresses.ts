import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";
import { type DrillName, drillNames } from "../../../sandbox/contract/drills.ts";

/** What the place shows, as its address says. */
export type Shown =
  | { readonly page: "subscriptions" | "receivers" | "lab" }
  | { readonly page: "subscription" | "receiver"; readonly id: string }
  | { readonly page: "sink"; readonly receipt: string | null }
  | { readonly page: "delivery"; readonly id: string; readonly attempt: string | undefined };

/** Reads `/webhooks/:id?/:tab?`: a word is a page, anything else a delivery's id with the number of a try. */
export const shownAt = (id: string | undefined, tab: string | undefined): Shown => {
  switch (id) {
    case undefined:
      return { page: "subscriptions" };
    case "subscriptions":
      return tab === undefined ? { page: "subscriptions" } : { page: "subscription", id: tab };
    case "receivers":
      return tab === undefined ? { page: "receivers" } : { page: "receiver", id: tab };
    case "sink":
      return { page: "sink", receipt: tab ?? null };
    case "lab":
      return { page: "lab" };
    default:
      return { page: "delivery", id, attempt: tab };
  }
};

/** A query with some of its fields changed; null takes a field out. Begins with "?" or is empty. */
export const changedQuery = (query: string, change: Readonly<Record<string, string | null>>): string => {
  const fields = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) fields.delete(name);
    else fields.set(name, value);
  }
  const text = fields.toString();
  return text === "" ? "" : `?${text}`;
};

/** A subscription with its scorecard, or one drill of it. */
const subscription = (id: string, drill: DrillName | null = null): string =>
  `/webhooks/subscriptions/${id}${changedQuery("", { drill })}`;

/** Addresses within the place; a delivery's is in app/places.ts, because other places lead there. */
export const addresses = {
  subscriptions: "/webhooks",
  subscription,
  receivers: "/webhooks/receivers",
  receiver: (id: string, receipt: string | null = null): string =>
    `/webhooks/receivers/${id}${changedQuery("", { receipt })}`,
  sink: (receipt: string | null = null): string => `/webhooks/sink${receipt === null ? "" : `/${receipt}`}`,
  lab: "/webhooks/lab",
};

/** The drill an address names, or null. */
export const drillIn = (query: string): DrillName | null => {
  const named = new URLSearchParams(query).get("drill");
  return drillNames.find((drill) => drill === named) ?? null;
};

/** What is shown beside a delivery's bytes. */
export type Aside = "answer" | "drills";

export const asideIn = (query: string): Aside =>
  new URLSearchParams(query).get("show") === "drills" ? "drills" : "answer";
export const asideQuery = (aside: Aside): string => changedQuery("", { show: aside === "drills" ? aside : null });

/** What stands behind the "?" of the address, and a way to change it where it stands. */
export const useAddressQuery = () => {
  const [path, navigate] = useLocation();
  const query = useSearch();
  const change = useCallback(
    (fields: Readonly<Record<string, string | null>>) =>
      navigate(path + changedQuery(query, fields), { replace: true }),
    [navigate, path, query],
  );
  return { query, change };
};
