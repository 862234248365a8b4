import fs from "node:fs";
import { promisify } from "node:util";
import zlib from "node:zlib";

const deflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.deflateRaw);
const inflate = promisify<zlib.InputType, Buffer>(zlib.inflateRaw);
/** A commit is small and waited for: the fastest. */
const QUICK = { level: 1 };

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
const FRAMES_AT_ONCE = 64;
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
    const pages = new Map<number, Buffer>();
    // A transaction's frames count once its last one is there, which says how large the file is; what was rolled back has none.
    let open = new Map<number, Buffer>();
    let filePages = 0;
    for (let at = this.#next; ; ) {
      const chunk = readAt(descriptor, frameBytes * FRAMES_AT_ONCE, at);
      let offset = 0;
      for (; offset + frameBytes <= chunk.length; offset += frameBytes) {
        if (chunk.compare(salts, 0, SALTS_BYTES, offset + FRAME_SALTS_AT, offset + FRAME_SALTS_AT + SALTS_BYTES) !== 0)
          break;
        open.set(chunk.readUInt32BE(offset), chunk.subarray(offset + FRAME_HEADER_BYTES, offset + frameBytes));
        const committed = chunk.readUInt32BE(offset + 4);
        if (committed === 0) continue;
        for (const [number, page] of open) pages.set(number, page);
        open = new Map();
        filePages = committed;
        this.#next = at + offset + frameBytes;
      }
      at += offset;
      if (offset < frameBytes * FRAMES_AT_ONCE) break;
    }
    return filePages === 0 ? null : { pageBytes, filePages, pages };
  }
}

/** Packs changed pages: size of a page, pages of the file, then each page after its number; deflated. */
export const packPages = ({ pageBytes, filePages, pages }: ChangedPages): Promise<Buffer> => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(pageBytes, 0);
  head.writeUInt32BE(filePages, 4);
  const parts: Uint8Array[] = [head];
  for (const [number, page] of pages) {
    const name = Buffer.alloc(4);
    name.writeUInt32BE(number);
    parts.push(name, page);
  }
  return deflate(Buffer.concat(parts), QUICK);
};

/** Writes packed pages into a closed database file. */
export const applyPages = async (descriptor: number, packed: Buffer): Promise<void> => {
  const text = await inflate(packed);
  const pageBytes = text.readUInt32BE(0);
  const filePages = text.readUInt32BE(4);
  for (let at = 8; at < text.length; at += 4 + pageBytes)
    fs.writeSync(descriptor, text, at + 4, pageBytes, (text.readUInt32BE(at) - 1) * pageBytes);
  fs.ftruncateSync(descriptor, filePages * pageBytes);
};

/** Packs a whole file. */
export const packFile = (content: Buffer): Promise<Buffer> => deflate(content, QUICK);

/** The content of a packed file. */
export const unpackFile = (packed: Buffer): Promise<Buffer> => inflate(packed);
