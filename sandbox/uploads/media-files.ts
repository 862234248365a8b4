import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { detectImageType, IMAGE_HEAD_BYTES } from "../rules/media.ts";
import { worldFileName } from "../rules/worlds/world-name.ts";
import { type FileChanged, linkOrCopyFile } from "../storage/sync.ts";

/** Reason why an image can't be received now. */
type UploadRefusal = "under_way" | "too_much";

/** Space reserved for images being received, so that it is never used twice (D86). */
export class Reservations {
  /** Reserved bytes by world and upload ID. */
  readonly #underWay = new Map<string, Map<string, number>>();

  /**
   * Reserves space before the first byte is written. An upload ID receives one image at a time.
   *
   * @param free bytes left in the world, including reserved ones
   * @returns a function that frees the space
   */
  reserve(world: string, id: string, bytes: number, free: number): UploadRefusal | (() => void) {
    const others = this.#underWay.get(world) ?? new Map<string, number>();
    if (others.has(id)) return "under_way";
    const reserved = [...others.values()].reduce((sum, one) => sum + one, 0);
    if (reserved + bytes > free) return "too_much";
    this.#underWay.set(world, others.set(id, bytes));
    return () => {
      others.delete(id);
      if (others.size === 0) this.#underWay.delete(world);
    };
  }
}

/**
 * Streams a body to a new file, checked piece by piece.
 *
 * After a refusal the connection stays open, and the rest of the body is read and dropped, because many clients read no
 * response before they have sent everything.
 * @throws the check's refusal; a partial file may remain
 */
export const streamToFile = async (
  body: Readable,
  checkPiece: (piece: Buffer) => void,
  file: string,
): Promise<void> => {
  try {
    await pipeline(
      body.iterator({ destroyOnReturn: false }),
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          checkPiece(piece);
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

/** D6: largest image. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
export const IMAGE_TOO_LARGE = "The image is larger than 20 MiB.";

/** Refusal of an upload's content. */
export class RejectedUploadError extends Error {
  readonly code: "payload_too_large" | "unsupported_media_type";
  /** First bytes of content that isn't an image. */
  readonly head: Buffer;

  constructor(code: RejectedUploadError["code"], message: string, head: Buffer = Buffer.alloc(0)) {
    super(message);
    this.code = code;
    this.head = head;
  }
}

interface ReceivedFile {
  readonly file: string;
  readonly contentType: string;
  readonly size: number;
}

/** Suffix of files being received. A start deletes them. */
const UNFINISHED = ".part";

/** Checks size and type of an image while it streams. */
class ImageCheck {
  #head = Buffer.alloc(0);
  #type: string | null = null;
  size = 0;

  /** @throws RejectedUpload */
  pass(piece: Buffer): void {
    this.size += piece.length;
    if (this.size > MAX_IMAGE_BYTES) throw new RejectedUploadError("payload_too_large", IMAGE_TOO_LARGE);
    if (this.#head.length === IMAGE_HEAD_BYTES) return;
    this.#head = Buffer.concat([this.#head, piece.subarray(0, IMAGE_HEAD_BYTES - this.#head.length)]);
    if (this.#head.length === IMAGE_HEAD_BYTES) this.#type = this.type();
  }

  /** @throws RejectedUpload if it isn't an image */
  type(): string {
    const type = this.#type ?? detectImageType(this.#head);
    if (type !== null) return type;
    const what = "The content is not a PNG, JPEG, WebP, GIF or HEIC image.";
    throw new RejectedUploadError("unsupported_media_type", what, this.#head);
  }
}

/** Links all files of a folder into another. Images are immutable, so folders can share them. */
const linkAll = (from: string, to: string): string[] => {
  const names = fs.existsSync(from) ? fs.readdirSync(from) : [];
  if (names.length > 0) fs.mkdirSync(to, { recursive: true });
  for (const name of names) linkOrCopyFile(path.join(from, name), path.join(to, name));
  return names;
};

/** Uploaded files of all worlds, one folder each. */
export class MediaFiles {
  readonly #folder: string;
  readonly #changed: FileChanged;
  /** File names by ID and folder. Copies and restored worlds share IDs. */
  readonly #places = new Map<string, Map<string, string>>();

  constructor(dataFolder: string, changed: FileChanged = () => undefined) {
    this.#folder = path.join(dataFolder, "media");
    this.#changed = changed;
    fs.mkdirSync(this.#folder, { recursive: true });
    for (const name of fs.readdirSync(this.#folder))
      if (name.endsWith(UNFINISHED)) fs.rmSync(path.join(this.#folder, name));
    this.scan();
  }

  scan(): void {
    this.#places.clear();
    for (const entry of fs.readdirSync(this.#folder, { withFileTypes: true })) {
      const file = path.join(this.#folder, entry.name);
      // Skips files that file managers create.
      if (entry.isDirectory()) for (const name of fs.readdirSync(file)) this.#add(file, name);
    }
  }

  #add(folder: string, name: string): void {
    const id = path.parse(name).name;
    this.#places.set(id, (this.#places.get(id) ?? new Map<string, string>()).set(folder, name));
  }

  /**
   * Streams content to disk, outside the worlds' folders, which may be deleted meanwhile. @throws RejectedUpload
   * without keeping anything
   */
  async receive(content: Readable): Promise<ReceivedFile> {
    const file = path.join(this.#folder, randomUUID() + UNFINISHED);
    const check = new ImageCheck();
    try {
      await streamToFile(content, (piece) => check.pass(piece), file);
      return { file, contentType: check.type(), size: check.size };
    } catch (error) {
      await fs.promises.rm(file, { force: true });
      throw error;
    }
  }

  /** Moves a received file into place. Its extension determines its type when served. */
  keep(worldName: string, id: string, received: ReceivedFile): void {
    const folder = this.getFolder(worldName);
    const name = `${id}.${received.contentType.replace("image/", "")}`;
    fs.mkdirSync(folder, { recursive: true });
    fs.renameSync(received.file, path.join(folder, name));
    this.#add(folder, name);
    this.#changed(path.join(folder, name));
  }

  discard(received: ReceivedFile): void {
    fs.rmSync(received.file, { force: true });
  }

  /** Folder and name of an uploaded file; null if there is none. */
  find(id: string): { readonly root: string; readonly name: string } | null {
    const [place] = this.#places.get(id) ?? [];
    return place ? { root: place[0], name: place[1] } : null;
  }

  getFolder(worldName: string): string {
    return path.join(this.#folder, worldFileName(worldName));
  }

  /** Links a world's images into another folder. */
  saveTo(worldName: string, folder: string): void {
    linkAll(this.getFolder(worldName), folder);
  }

  /** Links a folder's images into a world. */
  addFrom(worldName: string, folder: string): void {
    const to = this.getFolder(worldName);
    for (const name of linkAll(folder, to)) {
      this.#add(to, name);
      this.#changed(path.join(to, name));
    }
  }

  /** Deletes everything except the files of some worlds. */
  deleteOthers(but: readonly string[]): void {
    const stay = new Set(but.map((name) => this.getFolder(name)));
    for (const name of fs.readdirSync(this.#folder)) {
      const folder = path.join(this.#folder, name);
      if (!stay.has(folder)) this.#deleteFolder(folder);
    }
  }

  /** Deletes all files of a world, also on its reset. */
  deleteWorld(worldName: string): void {
    this.#deleteFolder(this.getFolder(worldName));
  }

  #deleteFolder(folder: string): void {
    fs.rmSync(folder, { recursive: true, force: true });
    this.#changed(folder);
    for (const [id, files] of this.#places) {
      files.delete(folder);
      if (files.size === 0) this.#places.delete(id);
    }
  }
}
