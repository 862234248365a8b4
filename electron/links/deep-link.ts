import { LINK_SCHEME } from "../app-identity.ts";
import { explorerAddress } from "./explorer-address.ts";

/** What the overview is called in a link: some systems mend or drop one that is a bare scheme. */
const overviewName = "overview";
const overview = /^overview\/?(\?.*)?$/s;

/** The address a link leads to; null when it leads nowhere in the explorer. */
export function addressInLink(link: string): string | null {
  const [, rest] = /^integrations-explorer:\/\/(.*)$/is.exec(link) ?? [];
  if (rest === undefined) return null;
  const path = rest.replace(/^\//, "");
  return explorerAddress(`/${path.replace(overview, "$1")}`);
}

/** The link that leads to an address of the explorer. */
export const linkTo = (address: string): string =>
  `${LINK_SCHEME}://${address.replace(/^\/(?=$|\?)/, `/${overviewName}`).slice(1)}`;

/**
 * The link on a command line, which is how Windows and Linux hand one over; null when there is none. Chromium puts
 * switches of its own around it, so its place says nothing.
 */
export const linkOnCommandLine = (argv: readonly string[]): string | null =>
  argv.find((argument) => argument.toLowerCase().startsWith(`${LINK_SCHEME}:`)) ?? null;
