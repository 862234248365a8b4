import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { type Readable, Transform } from "node:stream";
import { IMAGE_HEAD_BYTES, imageTypeOf } from "../rules/image-type.ts";
import { worldFileName } from "../rules/world-name.ts";
import { alsoAt } from "../storage/sync.ts";
import { bodyToFile } from "./body-to-file.ts";

/** D6: the largest image. */
export const LARGEST_IMAGE_BYTES = 20 * 1024 * 1024;
export const IMAGE_TOO_LARGE = "The image is larger than 20 MiB.";

/** Why an upload's content was not taken. */
export class RejectedUpload extends Error {
  readonly code: "payload_too_large" | "unsupported_media_type";

  constructor(code: RejectedUpload["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface ReceivedFile {
  readonly file: string;
  readonly contentType: string;
  readonly size: number;
}

interface KeptFile {
  /** Name of the world's folder. */
  readonly world: string;
  readonly name: string;
}

/** What files end in while they are being received; a start clears such files away. */
const UNFINISHED = ".part";

/** Judges the bytes as they pass and stops the stream at the first that is too many, or of no image. */
class ImageGate extends Transform {
  #head = Buffer.alloc(0);
  #type: string | null = null;
  size = 0;

  get type(): string | null {
    return this.#type;
  }

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null, data?: Buffer) => void,
  ): void {
    this.size += chunk.length;
    if (this.size > LARGEST_IMAGE_BYTES) {
      done(new RejectedUpload("payload_too_large", IMAGE_TOO_LARGE));
      return;
    }
    if (this.#head.length < IMAGE_HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, IMAGE_HEAD_BYTES - this.#head.length)]);
      if (this.#head.length === IMAGE_HEAD_BYTES) {
        this.#type = imageTypeOf(this.#head);
        if (this.#type === null) {
          done(notAnImage());
          return;
        }
      }
    }
    done(null, chunk);
  }

  override _flush(done: (error?: Error | null) => void): void {
    done(this.#type === null ? notAnImage() : null);
  }
}

const notAnImage = (): RejectedUpload =>
  new RejectedUpload("unsupported_media_type", "The content is no PNG, JPEG, WebP, GIF or HEIC image by its bytes.");

/** The uploaded files of all worlds, a folder each. */
export class MediaFiles {
  readonly #folder: string;
  /** Where the file of an id lies: copied and restored worlds share ids with others. */
  readonly #kept = new Map<string, readonly KeptFile[]>();

  constructor(dataFolder: string) {
    this.#folder = path.join(dataFolder, "media");
    fs.mkdirSync(this.#folder, { recursive: true });
    for (const entry of fs.readdirSync(this.#folder, { withFileTypes: true })) {
      if (entry.name.endsWith(UNFINISHED)) fs.rmSync(path.join(this.#folder, entry.name));
      // File managers leave files of their own.
      if (!entry.isDirectory()) continue;
      const world = entry.name;
      for (const name of fs.readdirSync(path.join(this.#folder, world))) this.#add({ world, name });
    }
  }

  #add(file: KeptFile): void {
    const id = path.parse(file.name).name;
    const others = (this.#kept.get(id) ?? []).filter(({ world }) => world !== file.world);
    this.#kept.set(id, [...others, file]);
  }

  /** Forgets the files of a world for which that is wanted. @returns their names */
  #drop(world: string, wanted: (name: string) => boolean): string[] {
    const dropped: string[] = [];
    for (const [id, files] of this.#kept) {
      const file = files.find((one) => one.world === world);
      if (!file || !wanted(file.name)) continue;
      dropped.push(file.name);
      if (files.length === 1) this.#kept.delete(id);
      else
        this.#kept.set(
          id,
          files.filter((one) => one !== file),
        );
    }
    return dropped;
  }

  /** Streams content to disk, beside the worlds' folders, which may go meanwhile. @throws RejectedUpload; nothing is kept then */
  async receive(content: Readable): Promise<ReceivedFile> {
    const file = path.join(this.#folder, randomUUID() + UNFINISHED);
    const gate = new ImageGate();
    try {
      await bodyToFile(content, gate, file);
    } catch (error) {
      await fs.promises.rm(file, { force: true });
      throw error;
    }
    return { file, contentType: gate.type ?? "application/octet-stream", size: gate.size };
  }

  /** Moves a received file to where it is served; its ending says what it is served as. */
  keep(worldName: string, id: string, received: ReceivedFile): void {
    const world = worldFileName(worldName);
    const name = `${id}.${received.contentType.replace("image/", "")}`;
    fs.mkdirSync(this.folderOf(worldName), { recursive: true });
    fs.renameSync(received.file, path.join(this.#folder, world, name));
    this.#add({ world, name });
  }

  discard(received: ReceivedFile): void {
    fs.rmSync(received.file, { force: true });
  }

  /** Where an uploaded file lies: the folder below which to look, and its name in it; null when there is none. */
  find(id: string): { readonly root: string; readonly name: string } | null {
    const kept = this.#kept.get(id)?.at(-1);
    return kept === undefined ? null : { root: path.join(this.#folder, kept.world), name: kept.name };
  }

  /** Where a world's pictures lie. */
  folderOf(worldName: string): string {
    return path.join(this.#folder, worldFileName(worldName));
  }

  /** Puts a world's pictures into another folder as well. They never change, so that two folders can share them. */
  saveTo(worldName: string, folder: string): void {
    const from = this.folderOf(worldName);
    const names = fs.existsSync(from) ? fs.readdirSync(from) : [];
    if (names.length > 0) fs.mkdirSync(folder, { recursive: true });
    for (const name of names) alsoAt(path.join(from, name), path.join(folder, name));
  }

  /** Forgets the pictures of a world that a folder does not have as well. */
  keepOnly(worldName: string, folder: string): void {
    const world = worldFileName(worldName);
    for (const name of this.#drop(world, (one) => !fs.existsSync(path.join(folder, one))))
      fs.rmSync(path.join(this.#folder, world, name), { force: true });
  }

  /** Puts the pictures of a folder into a world as well. */
  addFrom(worldName: string, folder: string): void {
    const world = worldFileName(worldName);
    const to = path.join(this.#folder, world);
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    if (names.length > 0) fs.mkdirSync(to, { recursive: true });
    for (const name of names) {
      alsoAt(path.join(folder, name), path.join(to, name));
      this.#add({ world, name });
    }
  }

  /** Forgets the files of all worlds but some, also what lies there and is nobody's. */
  forgetAll(but: readonly string[]): void {
    const stay = new Set(but.map(worldFileName));
    for (const name of fs.readdirSync(this.#folder)) {
      if (stay.has(name)) continue;
      fs.rmSync(path.join(this.#folder, name), { recursive: true, force: true });
      this.#drop(name, () => true);
    }
  }

  /** Forgets all files of a world: its reset ends them too. */
  forget(worldName: string): void {
    const world = worldFileName(worldName);
    fs.rmSync(path.join(this.#folder, world), { recursive: true, force: true });
    this.#drop(world, () => true);
  }
}
