import { hash, randomUUID } from "node:crypto";
import { realTime } from "./real-time.ts";

/**
 * Creates a UUID whose first 48 bits are the time in milliseconds; the rest is random. Rows written together then share
 * index pages, so a commit writes few of them. The form is version 4, which strict readers accept. Not for secrets.
 */
export const newId = (): string => {
  const time = realTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-${randomUUID().slice(14)}`;
};

const VARIANTS = "89ab";

/**
 * Derives a sequence of UUIDs from another one, so a repeated call returns the same IDs. They start with its time and
 * have the same form.
 */
export const idsFrom = (id: string): (() => string) => {
  const [first = "", second = ""] = id.toLowerCase().split("-");
  let count = 0;
  return () => {
    const hex = hash("sha256", `${id.toLowerCase()} ${count}`);
    count += 1;
    const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(3), 16) % VARIANTS.length);
    return `${first}-${second}-4${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
  };
};
