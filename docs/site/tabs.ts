import { type CopiedRequest, toPowerShell } from "../../renderer/domain/exchange/curl.ts";
import { readCurl } from "../../renderer/domain/exchange/import/curl.ts";
import { toFetch, toPython } from "../../renderer/domain/exchange/snippets.ts";
import { findBlock, languages as guideLanguages, writeBlock } from "./guides/guides.ts";
import { fence } from "./page.ts";

const SHELL = /^```sh\n([\s\S]*?)```$/;
/** Shell features: variables, pipes, further commands, output to a file. */
const ONLY_SHELL = /\$|\||&&|;|\s--?o(utput)?\s|-sN/;
const CODE = /(^```[\s\S]*?^```$|`[^`\n]+`)/gm;

/** The languages besides curl, as in the explorer's copy menu. */
const languages = [
  { label: "Node", name: "js", write: toFetch },
  { label: "Python", name: "python", write: toPython },
  { label: "PowerShell", name: "powershell", write: toPowerShell },
] as const;

/** Returns the call in a block of shell code; null for none, several, or other commands. */
const parseCall = (code: string): { request: CopiedRequest; origin: string } | null => {
  if (!code.startsWith("curl ") || ONLY_SHELL.test(code.replaceAll(/'[^']*'/g, ""))) return null;
  const [call, ...others] = readCurl(code).calls;
  if (!call || others.length > 0) return null;
  const { origin, pathname, search } = new URL(call.url);
  const { method, headers: request_headers, body: request_body } = call;
  return { request: { method, path: pathname + search, request_headers, request_body }, origin };
};

const tab = (label: string, code: string): string => `<TabItem label="${label}">\n\n${code}\n\n</TabItem>`;

/** Writes a guide's block in the other languages; null for a block of none. */
const blockTabs = (code: string): string[] | null => {
  const block = findBlock(code);
  if (!block) return null;
  return guideLanguages
    .filter(({ name }) => name !== "sh")
    .map((language) => tab(language.label, fence(language.name, writeBlock(language, block))));
};

/** Writes a call in the other languages; null for a block that isn't one call. */
const callTabs = (code: string): string[] | null => {
  const call = parseCall(code);
  return call && languages.map(({ label, name, write }) => tab(label, fence(name, write(call.request, call.origin))));
};

/** Escapes text for MDX, where braces are programs and a lone angle bracket is a tag. Tags stay. */
const escapeMdx = (text: string): string => text.replaceAll(/[{}]|<(?![a-z/])/g, "\\$&");

/**
 * Shows each curl call of a page, and each block of a guide, in tabs, one per language. The choice applies to all pages.
 *
 * @returns MDX; null when the page has no such call
 */
export const withTabs = (body: string): string | null => {
  let found = false;
  const parts = body.split(CODE).map((part, index) => {
    if (index % 2 === 0) return escapeMdx(part);
    const code = SHELL.exec(part)?.[1] ?? "";
    const others = blockTabs(code) ?? callTabs(code);
    if (!others) return part;
    found = true;
    return `<Tabs syncKey="language">\n${[tab("curl", part), ...others].join("\n")}\n</Tabs>`;
  });
  return found ? `import { Tabs, TabItem } from "@astrojs/starlight/components";\n\n${parts.join("")}` : null;
};
