import fs from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Writes a body into a new file as it comes, past a judge that may refuse it.
 *
 * Whoever is refused is answered over the connection the body comes by: it stays open, and what is left of the body is
 * read and dropped, for many clients read no answer before they have sent all.
 * @throws what the judge refuses with; the file may be there then, cut off
 */
export const bodyToFile = async (body: Readable, judge: (piece: Buffer) => void, file: string): Promise<void> => {
  try {
    await pipeline(
      body.iterator({ destroyOnReturn: false }),
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          judge(piece);
          yield piece;
        }
      },
      fs.createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
    );
  } catch (error) {
    body.resume();
    throw error;
  }
};
