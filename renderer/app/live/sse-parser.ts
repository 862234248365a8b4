/** One message of a `text/event-stream`. */
export interface SseMessage {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events out of text that arrives in pieces cut anywhere: inside a line, between the two characters
 * of a CRLF, before the blank line that ends a message. Comments (heartbeats) yield nothing.
 */
export const createSseParser = (): ((chunk: string) => SseMessage[]) => {
  let rest = "";
  let afterCr = false;
  let first = true;
  let id: string | null = null;
  let event = "";
  let data: string[] = [];

  const endOfMessage = (): SseMessage | null => {
    const message = data.length > 0 ? { id, event: event || "message", data: data.join("\n") } : null;
    event = "";
    data = [];
    return message;
  };

  const line = (text: string): SseMessage | null => {
    if (text === "") return endOfMessage();
    const colon = text.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? text : text.slice(0, colon);
    const raw = colon < 0 ? "" : text.slice(colon + 1);
    const value = raw.startsWith(" ") ? raw.slice(1) : raw;
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\u0000")) id = value;
    return null;
  };

  return (chunk) => {
    let text = chunk;
    if (first && text !== "") {
      first = false;
      if (text.startsWith("\uFEFF")) text = text.slice(1);
    }
    if (afterCr && text.startsWith("\n")) text = text.slice(1);
    if (chunk !== "") afterCr = text === "" ? false : text.endsWith("\r");
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? "";
    return lines.flatMap((one) => line(one) ?? []);
  };
};
