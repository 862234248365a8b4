import { IconArrowBackUp, IconChevronLeft, IconChevronRight, IconPhoto, IconWorld, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Section } from "../../../components/section.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import jobs from "../jobs.module.css";
import { puttingBack, removing } from "./edits.ts";
import { ChoosePictures } from "./incoming.tsx";
import styles from "./pictures.module.css";
import { FailedUploads, fetchPicture, PictureTile, pictureName, UploadTiles, useMayLoad } from "./tiles.tsx";
import type { JobPictures } from "./use-pictures.ts";

/** A picture of another machine is fetched from there when somebody asks for it. */
const Picture = ({ url }: { url: string }) => {
  if (useMayLoad(url)) return <img src={url} alt={pictureName(url)} />;
  return (
    <NothingYet
      icon={IconWorld}
      title="This picture is on another server"
      actions={
        <Button small onClick={() => fetchPicture(url)}>
          Load from {URL.parse(url)?.host}
        </Button>
      }
    >
      The explorer contacts no other server unless you ask it to.
    </NothingYet>
  );
};

/** One picture in its whole size, with the ways to its neighbours. */
const PictureDialog = ({
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
        <div className={styles.pictureOpen}>
          <Picture url={open} />
          <span className="row">
            <IconButton
              small
              icon={IconChevronLeft}
              label="Previous picture"
              disabled={place <= 0}
              onClick={() => go(-1)}
            />
            <span className="t12 t3 nw">
              {place + 1} of {images.length}
            </span>
            <IconButton
              small
              icon={IconChevronRight}
              label="Next picture"
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

interface Removed {
  readonly url: string;
  readonly place: number;
}

/** The last picture taken away, until it is put back or something else is done. */
const PutBack = ({ removed, of, onDone }: { removed: Removed; of: JobPictures; onDone: () => void }) => (
  <div className={`${styles.removed} row t12`} role="status">
    <span className="el">Removed {pictureName(removed.url)}.</span>
    <Button
      small
      look="quiet"
      icon={IconArrowBackUp}
      onClick={() => {
        of.change(puttingBack(removed.url, removed.place));
        onDone();
      }}
    >
      Undo
    </Button>
    <span className="grow" />
    <IconButton small icon={IconX} label="Close" onClick={onDone} />
  </div>
);

const NotWritten = ({ of, error }: { of: JobPictures; error: Error }) => (
  <div className={styles.removed}>
    {error instanceof ServiceFailure ? (
      <Refusal failure={error}>
        <Button small onClick={of.writeAgain}>
          Try again
        </Button>
        <Button small look="quiet" onClick={of.giveUp}>
          Dismiss
        </Button>
      </Refusal>
    ) : (
      <span role="alert">{error.message}</span>
    )}
  </div>
);

/** The pictures of a job, and adding, opening and removing them. */
export const Pictures = ({ images: stored, of }: Pick<Job, "images"> & { of: JobPictures }) => {
  const images = stored.map(({ public_url }) => public_url);
  const { uploads, isWriting, error } = of;
  const [open, setOpen] = useState<string | null>(null);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const remove = (url: string) => {
    setRemoved({ url, place: images.indexOf(url) });
    of.change(removing(url));
  };
  return (
    <div className={styles.pictures}>
      <Section
        ruled={false}
        title="Pictures"
        note={images.length > 0 ? formatCount(images.length) : undefined}
        actions={
          <>
            {isWriting && <span className="t12 t3">saving…</span>}
            <ChoosePictures onFiles={of.add} quiet />
          </>
        }
      >
        {images.length + uploads.length > 0 && (
          <ul className={styles.gallery} aria-label="Pictures of this job" aria-busy={isWriting}>
            {images.map((url) => (
              <PictureTile key={url} url={url} onOpen={() => setOpen(url)} onRemove={() => remove(url)} />
            ))}
            <UploadTiles of={of} />
          </ul>
        )}
        <FailedUploads of={of} />
        {error && <NotWritten of={of} error={error} />}
        {removed && !error && <PutBack removed={removed} of={of} onDone={() => setRemoved(null)} />}
        <p className={`${jobs.pad} t12 t3`}>
          Drop or paste pictures. Each is uploaded via uploads.prepare, then added to the job in one update.{" "}
          <Origin of="contract" /> <Origin of="assumption" id="D64" />
        </p>
        <PictureDialog images={images} open={open} onOpen={setOpen} />
      </Section>
    </div>
  );
};

/** Where the repairer's key is not here. */
export const NoPictures = () => (
  <div className={styles.pictures}>
    <Section ruled={false} title="Pictures">
      <p className={`${jobs.pad} row t12 t3`}>
        <Icon of={IconPhoto} size={14} />
        Pictures are only visible with a key for this buyer.
      </p>
    </Section>
  </div>
);
