/** So many characters of a name stay below the hundred code units a part of an address may have, whatever they are. */
const LONGEST_NAME = 50;

/**
 * The last part of the address an uploaded file is served under (D64): what follows the last slash of its name,
 * either way round, so that no proxy's path rules change it; of a long one the end, because that tells what kind of file
 * it is. A name that an address cannot end in gets another.
 */
export const mediaName = (fileName: string): string => {
  const last = fileName.slice(Math.max(fileName.lastIndexOf("/"), fileName.lastIndexOf("\\")) + 1);
  const name = [...last].slice(-LONGEST_NAME).join("");
  return /^\.{0,2}$/.test(name) ? "file" : encodeURIComponent(name);
};
