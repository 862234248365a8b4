import { linkToHere } from "../addresses.tsx";
import { copyText } from "../copy-text.ts";
import { notify } from "../notices.tsx";

/** Copies the address of what is in sight, with its world and without a key. */
export const copyLink = async (): Promise<void> => {
  const link = linkToHere();
  if (await copyText(link, "the link")) notify.done({ title: "Link copied", detail: link });
};
