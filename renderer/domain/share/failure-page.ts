import { pageHtml } from "./page-html.ts";
import { withoutSecrets } from "./secrets.ts";
import { callBlocks, type TicketAbout, type TicketCall, versionBlocks } from "./ticket.ts";

/**
 * Returns the calls of a failed test as one HTML page, without the secrets. The npm package bundles this file.
 *
 * @param calls oldest first
 */
export const failurePage = (
  title: string,
  calls: readonly TicketCall[],
  about: TicketAbout,
  secrets: readonly string[],
): string => {
  const blocks = [...calls.flatMap((call) => callBlocks(call, about.world)), ...versionBlocks(about)];
  return pageHtml(title, withoutSecrets(blocks, secrets));
};
