import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

const problems: Record<string, { readonly status: number; readonly message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The headers are larger than 16 KiB." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
};

/**
 * Answers what is no HTTP request, or one too slow or too large to be read, in the contract's form (D12). There is no
 * request to speak of, so the answer is written by hand and the connection ends with it.
 */
export const answerUnreadable = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = problems[error.code ?? ""] ?? {
    status: 400,
    message: "This is no HTTP request that can be read.",
  };
  const body = JSON.stringify({ type: "bad_request", message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${randomUUID()}\r\nconnection: close\r\n\r\n${body}`,
  );
};
