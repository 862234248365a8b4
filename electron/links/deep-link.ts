import { LINK_SCHEME } from "../app-identity.ts";
import { explorerAddress } from "./explorer-address.ts";

/** Path of the overview in a link, because some systems change or drop a bare scheme. */
const overviewName = "overview";
const overview = /^overview\/?(\?.*)?$/s;

/** Returns a link's address in the explorer, or null. */
export function addressInLink(link: string): string | null {
  const [, rest] = /^integrations-explorer:\/\/(.*)$/is.exec(link) ?? [];
  if (rest === undefined) return null;
  const path = rest.replace(/^\//, "");
  return explorerAddress(`/${path.replace(overview, "$1")}`);
}

/** Returns the link to an address of the explorer. */
export const linkTo = (address: string): string =>
  `${LINK_SCHEME}://${address.replace(/^\/(?=$|\?)/, `/${overviewName}`).slice(1)}`;

/**
 * Returns the link on a command line, where Windows and Linux pass it; null for none. Its position varies, because
 * Chromium adds switches.
 */
export const linkOnCommandLine = (argv: readonly string[]): string | null =>
  argv.find((argument) => argument.toLowerCase().startsWith(`${LINK_SCHEME}:`)) ?? null;
