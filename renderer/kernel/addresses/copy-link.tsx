import { IconCheck, IconLink } from "@tabler/icons-react";
import { IconButton } from "../../components/button.tsx";
import { useCopied } from "../../components/id.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { copyOrNotify } from "../notices/copy-text.ts";
import { notify } from "../notices/notices.tsx";
import { linkTo, linkToHere } from "./addresses.tsx";

/** Copies the current address, with its world and without a key. */
export const copyLink = (): void => {
  const link = linkToHere();
  void copyOrNotify(link, "the link").then((done) => done && notify.done({ title: "Link copied", detail: link }));
};

/** Copies the address of the open item, like its key does. */
export const CopyLink = ({ place, href, what }: { place: string; href: string; what: string }) => {
  const [copied, copy] = useCopied(linkTo(href), `the link to ${what}`);
  useKeys(place, [{ keys: ["l"], label: `Copy the link to ${what}`, run: copy }]);
  return (
    <IconButton
      small
      icon={copied ? IconCheck : IconLink}
      label="Copy link for this computer"
      verb="Copy link"
      onClick={copy}
    />
  );
};
