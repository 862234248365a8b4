import fs from "node:fs";
import { promisify } from "node:util";
import zlib from "node:zlib";
import Sqlite from "better-sqlite3";

const deflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.deflateRaw);
const inflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
/** Each piece is a way to a thread and back, and on a busy node a wait: with Node's 16 KB a world took seconds to move. */
const PACKED_AT_ONCE = 64 * 1024;
const UNPACKED_AT_ONCE = 512 * 1024;
/** As fast as can be: a commit is waited for. */
export const packFile = (content: Buffer): Promise<Buffer> => deflate(content, { level: 1, chunkSize: PACKED_AT_ONCE });
export const unpackFile = (packed: Buffer): Promise<Buffer> => inflate(packed, { chunkSize: UNPACKED_AT_ONCE });

/** Packs a world's file as it is after some commit, whoever else has it open. */
export const packWorld = async ({ file }: { readonly file: string }): Promise<ArrayBuffer> => {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true });
  let content: Buffer;
  try {
    content = db.serialize();
  } finally {
    db.close();
  }
  return new Uint8Array(await packFile(content)).buffer;
};

/** The pages that commits changed, each as it is after the last of them. */
export interface ChangedPages {
  readonly pageBytes: number;
  /** How many pages the file has after them. */
  readonly filePages: number;
  /** By their numbers, which begin with 1. */
  readonly pages: ReadonlyMap<number, Buffer>;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Where a header names the size of a page, and where header and frames keep what ties them together (sqlite.org/fileformat2.html). */
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
 * Reads from the log of an open database (`-wal`) what was committed since it was last asked. Call after each commit and
 * before the next transaction of the same connection, the only one that writes: the log begins anew only with a
 * transaction, and then with other salts.
 */
export class CommittedPages {
  readonly #log: string;
  #salts: Buffer = NO_SALTS;
  #next = HEADER_BYTES;

  /** @param file the database's own file */
  constructor(file: string) {
    this.#log = `${file}-wal`;
  }

  /** Null: nothing was. */
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
    // A transaction's frames count once its last one is there, which says how large the file is; what was rolled back has none.
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

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Packs changed pages: size of a page, pages of the file, then each page after its number; deflated. */
export const packPages = ({ pageBytes, filePages, pages }: ChangedPages): Promise<Buffer> =>
  packFile(
    Buffer.concat([number(pageBytes), number(filePages), ...[...pages].flatMap(([at, page]) => [number(at), page])]),
  );

/** Writes what {@link packPages} packed, unpacked, into a closed database file. */
export const applyPages = (descriptor: number, text: Buffer): void => {
  const pageBytes = text.readUInt32BE(0);
  const filePages = text.readUInt32BE(4);
  for (let at = 8; at < text.length; at += 4 + pageBytes)
    fs.writeSync(descriptor, text, at + 4, pageBytes, (text.readUInt32BE(at) - 1) * pageBytes);
  fs.ftruncateSync(descriptor, filePages * pageBytes);
};
