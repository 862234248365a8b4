import { copyText as copy } from "../../lib/copy-text.ts";
import { notify } from "./notices.tsx";

/** Copies text and shows a notice. A refusal is shown too, because nothing else reports it. */
export const copyOrNotify = async (text: string, what: string): Promise<boolean> => {
  const copied = await copy(text, what);
  if (!copied)
    notify.failed(`Copy ${what}`, new Error("The browser blocked the clipboard. Select the text and copy it."));
  return copied;
};
