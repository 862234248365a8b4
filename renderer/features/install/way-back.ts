import type { InstallParams } from "../../app/places.ts";

/** Where a person came from to get a key, and what to call it: "TRC-20397-1". */
export interface WayBack {
  readonly href: string;
  readonly label: string;
}

interface Known {
  readonly path: string;
  readonly title: string;
}

/** What is open at a place's detail, where the link that led here does not name it. */
const details: Readonly<Record<string, string>> = { "/jobs": "the job", "/procurements": "the procurement" };
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
