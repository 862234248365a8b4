import { hash, randomFillSync } from "node:crypto";
import { realTime } from "./real-time.ts";

let writtenAt = -1;
let written = "";

/** Random bytes per ID. Drawn for 256 IDs at once. */
const RANDOM_BYTES = 10;
const drawn = Buffer.alloc(RANDOM_BYTES * 256);
let digits = "";
let used = 0;

const draw = (): void => {
  randomFillSync(drawn);
  // The first digit of the fourth group is the variant: 8, 9, a or b.
  for (let at = 1; at < drawn.length; at += RANDOM_BYTES) drawn[at] = ((drawn[at] ?? 0) & 0xf3) | 0x08;
  digits = drawn.toString("hex");
  used = 0;
};

/**
 * Creates a UUID whose first 48 bits are the time in milliseconds; the rest is random. Rows written together then share
 * index pages, so a commit writes few of them. The form is version 4, which strict readers accept. Not for secrets.
 */
export const newId = (): string => {
  const now = realTime();
  if (now !== writtenAt) {
    const time = now.toString(16).padStart(12, "0");
    written = `${time.slice(0, 8)}-${time.slice(8)}-4`;
    writtenAt = now;
  }
  if (used === digits.length) draw();
  const at = used;
  used += 2 * RANDOM_BYTES;
  return `${written + digits.slice(at, at + 3)}-${digits.slice(at + 3, at + 7)}-${digits.slice(at + 7, at + 19)}`;
};

/** Time at which {@link newId} made an ID, in milliseconds since 1970. Meaningless for other IDs. */
export const timeInId = (id: string): number => Number.parseInt(id.replace("-", ""), 16);

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
