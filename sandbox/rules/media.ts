/** So many characters of a name stay below the hundred code units a part of an address may have, whatever they are. */
const LONGEST_NAME = 50;

/**
 * The last part of the address an uploaded file is served under (D64): what follows the last slash of its name,
 * either way round, so that no proxy's path rules change it; of a long one the end, because that tells what kind of file
 * it is. A name that an address cannot end in gets another.
 */
export const mediaName = (fileName: string): string => {
  const last = fileName.slice(Math.max(fileName.lastIndexOf("/"), fileName.lastIndexOf("\\")) + 1);
  // No character has more than two units: of a long name the rest is not looked at.
  const name = [...last.slice(-2 * LONGEST_NAME)].slice(-LONGEST_NAME).join("");
  return /^\.{0,2}$/.test(name) ? "file" : encodeURIComponent(name);
};

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

const HEIC_BRANDS = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"];

/** How many bytes of a file tell its type. */
export const IMAGE_HEAD_BYTES = 16;

/** The media type of an image by its first bytes (D64), or null when they are none of PNG, JPEG, WebP, GIF and HEIC. */
export const detectImageType = (head: Uint8Array): string | null => {
  if (ascii(head, 0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "image/jpeg";
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "WEBP") return "image/webp";
  if (["GIF87a", "GIF89a"].includes(ascii(head, 0, 6))) return "image/gif";
  if (ascii(head, 4, 8) === "ftyp" && HEIC_BRANDS.includes(ascii(head, 8, 12))) return "image/heic";
  return null;
};
