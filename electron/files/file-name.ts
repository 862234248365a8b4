const mostCharacters = 120;
/** What some system refuses in a name, reads as a folder, or does not show. */
const unusable = /[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu;
/** Windows opens devices by these names, whatever comes after the dot. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** `suggested` as a name that every platform takes, in no folder; "file" when nothing of it can be used. */
export function fileName(suggested: string): string {
  const plain = suggested
    .replace(unusable, "-")
    .replace(/^[-.\s]+|[-.\s]+$/g, "")
    .replace(device, "_$1");
  const [, stem = plain, extension = ""] = /^(.+?)(\.[A-Za-z0-9]{1,16})$/.exec(plain) ?? [];
  return `${[...stem].slice(0, mostCharacters).join("")}${extension}` || "file";
}
