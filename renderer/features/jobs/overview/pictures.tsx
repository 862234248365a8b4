import { Modal } from "@mantine/core";
import { IconPhoto, IconPhotoOff } from "@tabler/icons-react";
import { useState } from "react";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Section } from "../../../components/section.tsx";
import { formatCount } from "../../../lib/formatting.ts";

/** What a picture is called: the last part of its address. */
const nameOf = (url: string): string => decodeURIComponent(URL.parse(url)?.pathname.split("/").at(-1) || url);

const Picture = ({ url, onOpen }: { url: string; onOpen: () => void }) => {
  const [lost, setLost] = useState(false);
  const name = nameOf(url);
  return (
    <button type="button" className="jobs-picture" onClick={onOpen} aria-label={`Open picture ${name}`}>
      {lost ? (
        <span className="jobs-picture-lost t11">
          <Icon of={IconPhotoOff} />
          cannot be shown here
        </span>
      ) : (
        <img src={url} alt="" loading="lazy" onError={() => setLost(true)} />
      )}
      <span className="t11 t3 el">{name}</span>
    </button>
  );
};

/** The job's pictures; null when they are not known for want of a key. */
export const Pictures = ({ images }: { images: Job["images"] | null }) => {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <div className="jobs-pictures">
      <Section
        ruled={false}
        title="Pictures"
        note={images && images.length > 0 ? formatCount(images.length) : undefined}
      >
        {images && images.length > 0 ? (
          <ul className="jobs-gallery">
            {images.map(({ public_url }) => (
              <li key={public_url}>
                <Picture url={public_url} onOpen={() => setOpen(public_url)} />
              </li>
            ))}
          </ul>
        ) : (
          <div className="jobs-pad">
            <span className="row t12 t3">
              <Icon of={IconPhoto} size={14} />
              {images
                ? "None. A partner sends their addresses as images in repairer.jobs.insert."
                : "Not known without the repairer’s key."}
            </span>
          </div>
        )}
      </Section>
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open ? nameOf(open) : ""}
        size="auto"
        yOffset="5vh"
      >
        {open && (
          <div className="jobs-picture-open">
            <img src={open} alt={nameOf(open)} />
            <span className="row">
              <span className="m11 t2 el">{open}</span>
              <CopyButton text={open} what="public_url" />
            </span>
          </div>
        )}
      </Modal>
    </div>
  );
};
