import { queryParts } from "./world-address.ts";

/**
 * The exchange that was chosen on the wire stands in the address as `?wire=<id>`, so that a link, a reload, back and a
 * second window open the same one. Places never see the parameter.
 */
const isWirePart = (part: string): boolean => part === "wire" || part.startsWith("wire=");

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is an identifier as the service gives them, and nothing else. */
export const isId = (text: string): boolean => ID.test(text);

/** The exchange an address' query names; null when it names none, or nothing that could be one. */
export const wireIn = (query: string): string | null => {
  const id = new URLSearchParams(query).get("wire");
  return id !== null && isId(id) ? id.toLowerCase() : null;
};

/** The query without the exchange, every other byte as it was; begins with `?` or is empty. */
export const withoutWire = (query: string): string => {
  const rest = queryParts(query).filter((part) => !isWirePart(part));
  return rest.length === 0 ? "" : `?${rest.join("&")}`;
};

/** An address within the explorer with an exchange on the wire, or with none. */
export const withWire = (address: string, id: string | null): string => {
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(address) ?? [];
  const rest = withoutWire(query);
  return path + (id === null ? rest : `${rest === "" ? "?" : `${rest}&`}wire=${id}`) + fragment;
};
