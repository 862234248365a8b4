import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";

/** The signature in what was pasted as a header: the value alone, one line, or all headers of a request. */
export type PastedHeader =
  | { readonly kind: "none" }
  /** Under the contract's name, or a value without a name. */
  | { readonly kind: "found"; readonly value: string }
  /** Under another name: a consumer that looks for the right one does not see it. */
  | { readonly kind: "misnamed"; readonly name: string; readonly value: string }
  /** Headers, and none of them looks like a signature. */
  | { readonly kind: "others"; readonly names: readonly string[] };

/** A header as HTTP writes it, also within `-H '…'` of a cURL command or as a field of JSON. */
const LINE = /^\s*(?:-H\s+)?["']?([A-Za-z0-9!#$%&*+.^_`|~-]+)["']?\s*:\s*(.*?)\s*\\?\s*$/;

const unquoted = (value: string): string => value.replace(/^["'](.*?)["']?,?$/, "$1").replace(/["'],?$/, "");

/** Whether it may be a signature by its look: long, and nothing but the characters of hex or base64. */
const looksSigned = (value: string): boolean => /^(\w+=)?[A-Za-z0-9+/_-]{32,}={0,2}$/.test(value);

const isSignatureName = (name: string): boolean => /hmac|signature|sign\b|digest/i.test(name);

export const readHeader = (pasted: string): PastedHeader => {
  const text = pasted.trim();
  if (text === "") return { kind: "none" };
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const match = LINE.exec(line);
    return match ? [{ name: match[1] ?? "", value: unquoted(match[2] ?? "") }] : [];
  });
  if (lines.length === 0) return { kind: "found", value: text };
  const right = lines.find(({ name }) => name.toLowerCase() === SIGNATURE_HEADER);
  if (right) return right.value === "" ? { kind: "none" } : { kind: "found", value: right.value };
  const other =
    lines.find(({ name, value }) => isSignatureName(name) && value !== "") ??
    lines.find(({ name, value }) => name.toLowerCase() !== "authorization" && looksSigned(value));
  return other
    ? { kind: "misnamed", name: other.name, value: other.value }
    : { kind: "others", names: lines.map(({ name }) => name.toLowerCase()) };
};
