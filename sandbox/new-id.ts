import { randomUUID } from "node:crypto";

let writtenAt = -1;
let written = "";

/**
 * A fresh UUID whose first 48 bits are the time in milliseconds and whose rest is random. Rows that are written together
 * then stand together in their indexes, and a commit writes few pages instead of one for each row and index. It has the
 * form of a version 4 UUID, which the strictest readers of UUIDs accept; nothing secret is made of it.
 */
export const newId = (): string => {
  const now = Date.now();
  if (now !== writtenAt) {
    const time = now.toString(16).padStart(12, "0");
    written = `${time.slice(0, 8)}-${time.slice(8)}`;
    writtenAt = now;
  }
  return written + randomUUID().slice(13);
};

/** When an id of {@link newId} was made, in milliseconds since 1970. Of another text, anything. */
export const madeAt = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
