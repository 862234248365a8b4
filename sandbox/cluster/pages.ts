// Reads, packs and applies the pages that commits change in a SQLite file.
import fs from "node:fs";
import { promisify } from "node:util";
import zlib from "node:zlib";
import Sqlite from "better-sqlite3";

const deflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.deflateRaw);
const inflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
/** Each chunk costs a round trip to a thread: with Node's default of 16 KB, moving a world took seconds on a busy node. */
const PACKED_AT_ONCE = 64 * 1024;
const UNPACKED_AT_ONCE = 512 * 1024;
/** Uses the fastest level, because a commit waits for it. */
export const packFile = (content: Buffer): Promise<Buffer> => deflate(content, { level: 1, chunkSize: PACKED_AT_ONCE });
export const unpackFile = (packed: Buffer): Promise<Buffer> => inflate(packed, { chunkSize: UNPACKED_AT_ONCE });

/** Packs a consistent copy of a world's file, which may be open elsewhere. */
export const packWorld = async ({ file }: { readonly file: string }): Promise<ArrayBuffer> => {
  const db = new Sqlite(file, { readonly: true });
  let content: Buffer;
  try {
    content = db.serialize();
  } finally {
    db.close();
  }
  return new Uint8Array(await packFile(content)).buffer;
};

/** Pages that commits changed, each in its latest version. */
export interface ChangedPages {
  readonly pageBytes: number;
  /** Size of the file after the last commit, in pages. */
  readonly filePages: number;
  /** Pages by number, starting at 1. */
  readonly pages: ReadonlyMap<number, Buffer>;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Offsets of the page size and of the salts, which are equal in the header and its frames (sqlite.org/fileformat2.html). */
const PAGE_BYTES_AT = 8;
const SALTS_AT = 16;
const FRAME_SALTS_AT = 8;
const SALTS_BYTES = 8;
const NO_SALTS = Buffer.alloc(SALTS_BYTES);

const readAt = (descriptor: number, bytes: number, at: number): Buffer => {
  const buffer = Buffer.allocUnsafe(bytes);
  return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, bytes, at));
};

/**
 * Reads new commits from the write-ahead log (`-wal`) of an open database. Call after each commit, before the only
 * writing connection starts another transaction: a transaction may restart the log, with other salts.
 */
export class CommittedPages {
  readonly #log: string;
  #salts: Buffer = NO_SALTS;
  #next = HEADER_BYTES;

  /** @param file the database's own file */
  constructor(file: string) {
    this.#log = `${file}-wal`;
  }

  /** Returns the pages committed since the last call; null if none were. */
  take(): ChangedPages | null {
    if (!fs.existsSync(this.#log)) return null;
    const descriptor = fs.openSync(this.#log, "r");
    try {
      return this.#read(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  #read(descriptor: number): ChangedPages | null {
    const header = readAt(descriptor, HEADER_BYTES, 0);
    if (header.length < HEADER_BYTES) return null;
    const salts = header.subarray(SALTS_AT, SALTS_AT + SALTS_BYTES);
    if (!salts.equals(this.#salts)) {
      this.#salts = Buffer.from(salts);
      this.#next = HEADER_BYTES;
    }
    const pageBytes = header.readUInt32BE(PAGE_BYTES_AT);
    const frameBytes = FRAME_HEADER_BYTES + pageBytes;
    const frames: [number, Buffer][] = [];
    // A transaction is committed if its last frame, which has the file's size, is present. Rolled-back ones lack it.
    let committed = 0;
    let filePages = 0;
    for (let at = this.#next; ; ) {
      const frame = readAt(descriptor, frameBytes, at);
      const frameSalts = frame.subarray(FRAME_SALTS_AT, FRAME_SALTS_AT + SALTS_BYTES);
      if (frame.length < frameBytes || !frameSalts.equals(salts)) break;
      frames.push([frame.readUInt32BE(0), frame.subarray(FRAME_HEADER_BYTES)]);
      at += frameBytes;
      const pagesAfter = frame.readUInt32BE(4);
      if (pagesAfter === 0) continue;
      [committed, filePages, this.#next] = [frames.length, pagesAfter, at];
    }
    return committed === 0 ? null : { pageBytes, filePages, pages: new Map(frames.slice(0, committed)) };
  }
}

const encodeUint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Packs changed pages, deflated: the page size, the file's size in pages, then each page after its number. */
export const packPages = ({ pageBytes, filePages, pages }: ChangedPages): Promise<Buffer> =>
  packFile(
    Buffer.concat([
      encodeUint32(pageBytes),
      encodeUint32(filePages),
      ...[...pages].flatMap(([at, page]) => [encodeUint32(at), page]),
    ]),
  );

/** Writes unpacked output of {@link packPages} into a closed database file. */
export const applyPages = (descriptor: number, text: Buffer): void => {
  const pageBytes = text.readUInt32BE(0);
  const filePages = text.readUInt32BE(4);
  for (let at = 8; at < text.length; at += 4 + pageBytes)
    fs.writeSync(descriptor, text, at + 4, pageBytes, (text.readUInt32BE(at) - 1) * pageBytes);
  fs.ftruncateSync(descriptor, filePages * pageBytes);
};
