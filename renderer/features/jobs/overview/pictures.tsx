import { IconArrowBackUp, IconPhoto, IconX } from "@tabler/icons-react";
import { useState } from "react";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Section } from "../../../components/section.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useDeskState } from "../pictures/desks.ts";
import { ChoosePictures } from "../pictures/incoming.tsx";
import { type PictureDesk, puttingBack, removing } from "../pictures/picture-desk.ts";
import { FailedUploads, PictureTile, pictureName, UploadTiles } from "../pictures/tiles.tsx";
import { useUploadList } from "../pictures/use-uploads.ts";
import { PictureDialog } from "./picture-dialog.tsx";

interface Removed {
  readonly url: string;
  readonly place: number;
}

/** The last picture taken away, until it is put back or something else is done. */
const PutBack = ({ removed, desk, onDone }: { removed: Removed; desk: PictureDesk; onDone: () => void }) => (
  <div className="jobs-removed row t12" role="status">
    <span className="el">Removed {pictureName(removed.url)}.</span>
    <Button
      small
      look="quiet"
      icon={IconArrowBackUp}
      onClick={() => {
        desk.change(puttingBack(removed.url, removed.place));
        onDone();
      }}
    >
      Put it back
    </Button>
    <span className="grow" />
    <IconButton small icon={IconX} label="Close" onClick={onDone} />
  </div>
);

const NotWritten = ({ desk, error }: { desk: PictureDesk; error: Error }) => (
  <div className="jobs-removed">
    {error instanceof ServiceFailure ? (
      <Refusal failure={error}>
        <Button small onClick={desk.again}>
          Try again
        </Button>
        <Button small look="quiet" onClick={desk.giveUp}>
          Leave it
        </Button>
      </Refusal>
    ) : (
      <span role="alert">{error.message}</span>
    )}
  </div>
);

const Editable = ({ images, desk }: { images: readonly string[]; desk: PictureDesk }) => {
  const uploads = useUploadList(desk.uploader);
  const { isWriting, refused } = useDeskState(desk);
  const [open, setOpen] = useState<string | null>(null);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const remove = (url: string) => {
    setRemoved({ url, place: images.indexOf(url) });
    desk.change(removing(url));
  };
  return (
    <Section
      ruled={false}
      title="Pictures"
      note={images.length > 0 ? formatCount(images.length) : undefined}
      actions={
        <>
          {isWriting && <span className="t12 t3">writing…</span>}
          <ChoosePictures onFiles={desk.uploader.add} quiet />
        </>
      }
    >
      {images.length + uploads.length > 0 && (
        <ul className="jobs-gallery" aria-label="Pictures of this job" aria-busy={isWriting}>
          {images.map((url) => (
            <PictureTile key={url} url={url} onOpen={() => setOpen(url)} onRemove={() => remove(url)} />
          ))}
          <UploadTiles uploads={uploads} uploader={desk.uploader} />
        </ul>
      )}
      <FailedUploads uploads={uploads} uploader={desk.uploader} />
      {refused && <NotWritten desk={desk} error={refused.error} />}
      {removed && !refused && <PutBack removed={removed} desk={desk} onDone={() => setRemoved(null)} />}
      <p className="jobs-pad t12 t3">
        Drop, paste or add pictures: each gets an address by uploads.prepare <Origin of="contract" tight /> and is sent
        there <Origin of="assumption" id="D64" tight />; then one update names them as images.
      </p>
      <PictureDialog images={images} open={open} onOpen={setOpen} />
    </Section>
  );
};

const Unknown = () => (
  <Section ruled={false} title="Pictures">
    <p className="jobs-pad row t12 t3">
      <Icon of={IconPhoto} size={14} />
      Not known without the repairer’s key.
    </p>
  </Section>
);

/** The job's pictures; null when they are not known for want of a key. */
export const Pictures = ({ images, desk }: { images: Job["images"] | null; desk: PictureDesk | null }) => (
  <div className="jobs-pictures">
    {images && desk ? <Editable images={images.map(({ public_url }) => public_url)} desk={desk} /> : <Unknown />}
  </div>
);
