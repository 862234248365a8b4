import { announce } from "./announce.ts";

/** Puts text on the clipboard and tells screen readers. False: the browser refused. */
export const copyText = async (text: string, what: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}`);
    return true;
  } catch {
    return false;
  }
};
