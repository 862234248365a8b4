/** Keeps any name below the limit of 100 code units per path segment. */
const MAX_NAME_CHARS = 50;

/**
 * Last path segment of an uploaded file's address (D64). Takes the name after its last slash or backslash, so proxy
 * path rules can't change it. Long names keep their end, which has the file type. A name that can't end an address is
 * replaced.
 */
export const mediaName = (fileName: string): string => {
  const last = fileName.slice(Math.max(fileName.lastIndexOf("/"), fileName.lastIndexOf("\\")) + 1);
  // A character has at most two code units, so the rest of a long name isn't needed.
  const name = [...last.slice(-2 * MAX_NAME_CHARS)].slice(-MAX_NAME_CHARS).join("");
  return /^\.{0,2}$/.test(name) ? "file" : encodeURIComponent(name);
};

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

const HEIC_BRANDS = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"];

/** Bytes needed to detect the type. */
export const IMAGE_HEAD_BYTES = 16;

/** Media type from the first bytes (D64); null if they are not PNG, JPEG, WebP, GIF or HEIC. */
export const detectImageType = (head: Uint8Array): string | null => {
  if (ascii(head, 0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "image/jpeg";
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "WEBP") return "image/webp";
  if (["GIF87a", "GIF89a"].includes(ascii(head, 0, 6))) return "image/gif";
  if (ascii(head, 4, 8) === "ftyp" && HEIC_BRANDS.includes(ascii(head, 8, 12))) return "image/heic";
  return null;
};
