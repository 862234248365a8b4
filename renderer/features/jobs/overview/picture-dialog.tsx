import { IconChevronLeft, IconChevronRight, IconWorld } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import { Button, IconButton } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { useJobs } from "../jobs-store.ts";
import { isNear, pictureName } from "../pictures/tiles.tsx";

/** A picture of another machine is fetched from there when somebody asks for it. */
const Picture = ({ url }: { url: string }) => {
  const asked = useJobs(({ fetched }) => fetched.includes(url));
  const fetchPicture = useJobs((state) => state.fetchPicture);
  if (isNear(url) || asked) return <img src={url} alt={pictureName(url)} />;
  return (
    <NothingYet
      icon={IconWorld}
      title="This picture is on another machine"
      actions={
        <Button small onClick={() => fetchPicture(url)}>
          Load it from {URL.parse(url)?.host}
        </Button>
      }
    >
      It is not loaded by itself: the explorer contacts nothing but the service.
    </NothingYet>
  );
};

/** One picture in its whole size, with the ways to its neighbours. */
export const PictureDialog = ({
  images,
  open,
  onOpen,
}: {
  images: readonly string[];
  open: string | null;
  onOpen: (url: string | null) => void;
}) => {
  const place = open === null ? -1 : images.indexOf(open);
  const go = (by: number) => {
    const next = images[place + by];
    if (next !== undefined) onOpen(next);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") go(-1);
    if (key === "ArrowRight") go(1);
  };
  return (
    <Dialog
      opened={open !== null}
      onClose={() => onOpen(null)}
      title={open ? pictureName(open) : ""}
      size="auto"
      yOffset="5vh"
      onKeyDown={onKeyDown}
    >
      {open && (
        <div className="jobs-picture-open">
          <Picture url={open} />
          <span className="row">
            <IconButton
              small
              icon={IconChevronLeft}
              label="The picture before"
              disabled={place <= 0}
              onClick={() => go(-1)}
            />
            <span className="t12 t3 nw">
              {place + 1} of {images.length}
            </span>
            <IconButton
              small
              icon={IconChevronRight}
              label="The next picture"
              disabled={place < 0 || place >= images.length - 1}
              onClick={() => go(1)}
            />
            <span className="m11 t2 el">{open}</span>
            <CopyButton text={open} what="public_url" />
          </span>
        </div>
      )}
    </Dialog>
  );
};
