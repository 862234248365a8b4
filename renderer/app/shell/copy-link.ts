import { linkToHere } from "../addresses.tsx";
import { copyText } from "../copy-text.ts";
import { notify } from "../notices.tsx";

/** Copies the address of what is in sight, with its world and without a key. */
export const copyLink = (): void => {
  const link = linkToHere();
  void copyText(link, "the link").then((done) => done && notify.done({ title: "Link copied", detail: link }));
};
