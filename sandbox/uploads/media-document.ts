import fs from "node:fs";
import path from "node:path";
import { isUuid } from "../contract/schema.ts";
import { IMAGE_HEAD_BYTES, imageTypeOf } from "../rules/image-type.ts";
import { LARGEST_IMAGE_BYTES, UNFINISHED } from "./media-files.ts";

/** A picture as a document carries it. */
export interface CarriedPicture {
  readonly id: string;
  readonly base64: string;
}

/** The pictures of a folder. */
export const readPictures = (folder: string): CarriedPicture[] => {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => !name.endsWith(UNFINISHED))
    .map((name) => ({
      id: path.parse(name).name,
      base64: fs.readFileSync(path.join(folder, name)).toString("base64"),
    }));
};

/**
 * Writes pictures into a folder under names of their own making: an id of a document must not lead anywhere, and what is
 * no picture by its bytes is not served as one (D64).
 *
 * @returns what is wrong with one of them, or null
 */
export const writePictures = (folder: string, pictures: readonly CarriedPicture[]): string | null => {
  for (const [index, { id, base64 }] of pictures.entries()) {
    const bytes = Buffer.from(base64, "base64");
    const type = imageTypeOf(bytes.subarray(0, IMAGE_HEAD_BYTES));
    if (!isUuid(id)) return `/document/media/${index}/id must be a UUID`;
    if (type === null || bytes.length > LARGEST_IMAGE_BYTES)
      return `/document/media/${index}/base64 must be a PNG, JPEG, WebP, GIF or HEIC image of at most 20 MiB`;
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `${id.toLowerCase()}.${type.replace("image/", "")}`), bytes, { flush: true });
  }
  return null;
};
