import type { DrillName } from "../../../../sandbox/contract/drills.ts";
import { rangeOfText } from "../../../lib/bytes.ts";
import { type Marked, markedStamp } from "../message/message-pane.tsx";
import { jsonOf, rangeOfField } from "../message/notification.ts";

const jobIdOf = (bytes: Uint8Array): string | null => {
  const parsed = jsonOf(bytes);
  const payload: unknown = typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, "payload") : null;
  const id: unknown = typeof payload === "object" && payload !== null ? Reflect.get(payload, "job_id") : null;
  return typeof id === "string" ? id : null;
};

/** The last character of the job's id: that is the byte the drill flips. */
const flippedByte = (bytes: Uint8Array): Marked | null => {
  const id = jobIdOf(bytes);
  const range = id === null ? null : rangeOfText(bytes, `"job_id":${JSON.stringify(id)}`);
  return range && { range: { start: range.end - 2, end: range.end - 1 }, what: "the flipped byte" };
};

const messageId = (bytes: Uint8Array): Marked | null => {
  const range = rangeOfField(bytes, "message_id");
  return range && { range, what: "message_id" };
};

/** What is special about the bytes of a drill; null where it is in no byte of the body. */
export const markedIn = (drill: DrillName, bytes: Uint8Array): Marked | null => {
  switch (drill) {
    case "flipped_byte":
      return flippedByte(bytes);
    case "duplicate":
    case "reordered":
      return messageId(bytes);
    case "missing_signature":
    case "wrong_secret":
    case "missing_timestamp":
      return null;
    default:
      return markedStamp(bytes);
  }
};
