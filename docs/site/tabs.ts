import { asPowerShell, type KeptRequest } from "../../renderer/domain/exchange/curl.ts";
import { readCurl } from "../../renderer/domain/exchange/import/curl.ts";
import { asFetch, asPython } from "../../renderer/domain/exchange/snippets.ts";
import { fence } from "./page.ts";

const SHELL = /^```sh\n([\s\S]*?)```$/;
/** What only a shell does: variables, pipes, further commands, output into a file. */
const ONLY_SHELL = /\$|\||&&|;|\s--?o(utput)?\s|-sN/;
const CODE = /(^```[\s\S]*?^```$|`[^`\n]+`)/gm;

/** The languages beside curl, as the explorer copies a call. */
const languages = [
  { label: "Node", name: "js", write: asFetch },
  { label: "Python", name: "python", write: asPython },
  { label: "PowerShell", name: "powershell", write: asPowerShell },
] as const;

/** The call that a block of shell code makes; null: none, several, or more than a call. */
const callIn = (code: string): { request: KeptRequest; origin: string } | null => {
  if (!code.startsWith("curl ") || ONLY_SHELL.test(code.replaceAll(/'[^']*'/g, ""))) return null;
  const [call, ...others] = readCurl(code).calls;
  if (!call || others.length > 0) return null;
  const { origin, pathname, search } = new URL(call.url);
  const { method, headers: request_headers, body: request_body } = call;
  return { request: { method, path: pathname + search, request_headers, request_body }, origin };
};

/** Text without code as MDX takes it: its braces would be programs, and a lone angle bracket a tag. Tags stay tags. */
const asMdx = (text: string): string => text.replaceAll(/[{}]|<(?![a-z/])/g, "\\$&");

const tab = (label: string, code: string): string => `<TabItem label="${label}">\n\n${code}\n\n</TabItem>`;

/**
 * A page whose calls by curl are shown in each language, one at a time. The choice counts for all pages.
 *
 * @returns MDX; null: the page has no such call
 */
export const withTabs = (body: string): string | null => {
  let found = false;
  const parts = body.split(CODE).map((part, index) => {
    if (index % 2 === 0) return asMdx(part);
    const call = callIn(SHELL.exec(part)?.[1] ?? "");
    if (!call) return part;
    found = true;
    const others = languages.map(({ label, name, write }) => tab(label, fence(name, write(call.request, call.origin))));
    return `<Tabs syncKey="language">\n${[tab("curl", part), ...others].join("\n")}\n</Tabs>`;
  });
  return found ? `import { Tabs, TabItem } from "@astrojs/starlight/components";\n\n${parts.join("")}` : null;
};
