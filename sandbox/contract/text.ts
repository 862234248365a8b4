/** A count with its noun: "1 call", "3 calls". */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Joins words: "a", "a and b", "a, b and c". */
export const enumerate = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** Shortens in the middle, keeping enough to recognise it: "ad2daf65-…-9340" → ["ad2daf", "9340"]; null when short already. */
export const shortened = (id: string): readonly [string, string] | null =>
  id.length <= 13 ? null : [id.slice(0, 6), id.slice(-4)];

/**
 * Shortens an ID to one text: "ad2daf…9340". IDs assigned in the same minute share their beginning, so both ends are
 * shown.
 */
export const shortId = (id: string): string => shortened(id)?.join("…") ?? id;

/** A receiver's address without possible secrets: user name, password and query. */
export const receiverAddress = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search === "" ? "" : "?…"}`;
};

/** The address of a database without user, password and parameters. */
export const shownDatabase = (url: string): string => {
  if (!URL.canParse(url)) return "the address";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
};

/** Control characters, direction marks and line separators: a terminal acts on them instead of showing them. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Escapes such characters in JSON notation, so that a terminal shows them. */
export const terminalText = (text: string): string =>
  text.replace(NOT_SHOWN, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
