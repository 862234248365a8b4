import { announce } from "./announce.ts";

/** Copies text and announces it to screen readers. Resolves to false if the browser refuses. */
export const copyText = async (text: string, what: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}`);
    return true;
  } catch {
    return false;
  }
};
