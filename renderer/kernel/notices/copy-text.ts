import { copyText as copy } from "../../lib/copy-text.ts";
import { notify } from "./notices.tsx";

/** Puts text on the clipboard and says so. A browser that refuses is shown: nothing else tells that nothing was copied. */
export const copyText = async (text: string, what: string): Promise<boolean> => {
  const copied = await copy(text, what);
  if (!copied)
    notify.failed(`Copy ${what}`, new Error("The browser blocked the clipboard. Select the text and copy it."));
  return copied;
};
