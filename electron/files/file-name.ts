const mostCharacters = 120;
/** Characters that some system forbids, treats as a separator, or doesn't show. */
const invalidCharacters = /[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu;
/** Windows device names, reserved with any extension. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Converts a suggested name to one that is valid on every platform and contains no folder; "file" when nothing remains.
 */
export function fileName(suggested: string): string {
  const plain = suggested
    .replace(invalidCharacters, "-")
    .replace(/^[-.\s]+|[-.\s]+$/g, "")
    .replace(deviceName, "_$1");
  const [, stem = plain, extension = ""] = /^(.+?)(\.[A-Za-z0-9]{1,16})$/.exec(plain) ?? [];
  return `${[...stem].slice(0, mostCharacters).join("")}${extension}` || "file";
}
