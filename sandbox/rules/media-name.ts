/** So many characters of a name stay below the hundred code units a part of an address may have, whatever they are. */
const LONGEST_NAME = 50;

/**
 * The last part of the address an uploaded file is served under (D64): its name, of a long one the end, because that
 * tells what kind of file it is. A name that an address cannot end in gets another.
 */
export const mediaName = (fileName: string): string => {
  const name = [...fileName].slice(-LONGEST_NAME).join("");
  return /^\.{0,2}$/.test(name) ? "file" : encodeURIComponent(name);
};
