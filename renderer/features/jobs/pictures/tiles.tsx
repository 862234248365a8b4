import { Group, Stack } from "@mantine/core";
import { IconPhotoOff, IconRefresh, IconWorld, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { create } from "zustand";
import { Button, IconButton } from "../../../components/button.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { formatBytes } from "../../../lib/formatting.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import styles from "./pictures.module.css";
import { forget, type Upload } from "./uploads.ts";
import type { Uploader } from "./use-pictures.ts";

/** What a picture is called: the last part of its address. */
export const pictureName = (url: string): string => {
  const last = URL.parse(url)?.pathname.split("/").at(-1) || url;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};

/** Whether a picture comes from this machine: nothing else is contacted until somebody asks for it. */
const isNear = (url: string): boolean => {
  const { protocol = "", hostname: host = "" } = URL.parse(url, window.location.href) ?? {};
  // What was just chosen is in the window itself. A name may begin as an address of this machine does.
  if (protocol === "blob:") return true;
  return [window.location.hostname, "localhost", "[::1]"].includes(host) || /^127(\.\d+){3}$/.test(host);
};

/** Pictures of other machines that somebody asked for. */
const useAsked = create<{ readonly urls: readonly string[] }>(() => ({ urls: [] }));
export const fetchPicture = (url: string): void => useAsked.setState(({ urls }) => ({ urls: [...urls, url] }));

/** Whether a picture may be loaded: from this machine, or because it was asked for. */
export const useMayLoad = (url: string): boolean => useAsked(({ urls }) => urls.includes(url)) || isNear(url);

const Shown = ({ url }: { url: string }) => {
  const [lost, setLost] = useState(false);
  const mayLoad = useMayLoad(url);
  if (mayLoad && !lost) return <img src={url} alt="" loading="lazy" onError={() => setLost(true)} />;
  return (
    <span className={`${styles.pictureLost} t11`}>
      <Icon of={mayLoad ? IconPhotoOff : IconWorld} />
      {mayLoad ? "can’t be displayed" : `at ${URL.parse(url)?.host}`}
    </span>
  );
};

/** A picture that has an address; opened by a click, and taken away by the button in its corner. */
export const PictureTile = ({
  url,
  onOpen,
  onRemove,
}: {
  url: string;
  onOpen?: (() => void) | undefined;
  onRemove?: (() => void) | undefined;
}) => {
  const name = pictureName(url);
  const inside = (
    <>
      <Shown url={url} />
      <span className="t11 t3 el">{name}</span>
    </>
  );
  return (
    <li className={styles.tile} title={url}>
      {onOpen ? (
        <button type="button" className={styles.picture} onClick={onOpen}>
          <span className="sr">Open picture </span>
          {inside}
        </button>
      ) : (
        <span className={styles.picture}>{inside}</span>
      )}
      {onRemove && (
        <span className={styles.tileX}>
          <IconButton small look="default" icon={IconX} label={`Remove ${name}`} onClick={onRemove} />
        </span>
      )}
    </li>
  );
};

const percentOf = ({ file, sentBytes }: Upload): number =>
  file.size === 0 ? 0 : Math.min(100, Math.round((sentBytes / file.size) * 100));

const onItsWay = (upload: Upload): string => {
  if (upload.state === "waiting") return "waiting";
  if (upload.state === "sent") return "uploaded, waiting for the others";
  return `${percentOf(upload)} % of ${formatBytes(upload.file.size)}`;
};

const UploadTile = ({ upload }: { upload: Upload }) => {
  const { file } = upload;
  return (
    <li className={`${styles.tile} ${styles.sending}`} title={file.name}>
      <span className={styles.picture}>
        <Shown url={upload.preview} />
        <span className="t11 t2 el">{onItsWay(upload)}</span>
      </span>
      <progress className={styles.tileBar} aria-label={`Uploading ${file.name}`} max={100} value={percentOf(upload)} />
      <span className={styles.tileX}>
        <IconButton
          small
          look="default"
          icon={IconX}
          label={`Cancel upload of ${file.name}`}
          onClick={() => forget([upload])}
        />
      </span>
    </li>
  );
};

/** One that did not arrive, with the service's words, as a line of its own: they need the room. */
const FailedLine = ({ upload, of }: { upload: Upload; of: Uploader }) => {
  const { file, error } = upload;
  const failure = error instanceof ServiceFailure ? error : null;
  return (
    <Group
      component="li"
      gap="sm"
      wrap="nowrap"
      pt="xs"
      pr="sm"
      pb="xs"
      pl="xs"
      bd="1px solid var(--bad-line)"
      bdrs="var(--r2)"
      bg="var(--bad-tint)"
    >
      <span className={styles.uploadThumb}>
        <Shown url={upload.preview} />
      </span>
      <Stack className="grow" component="span" gap={2} role="alert">
        <span className="row">
          <b className="w5 el">{file.name}</b>
          <span className="t3 nw">{formatBytes(file.size)}</span>
          {failure && failure.status > 0 && <HttpStatus status={failure.status} />}
          {failure && <span className="m11 el">{failure.code}</span>}
        </span>
        <span className="t2">{error?.message}</span>
      </Stack>
      <Button small look="quiet" icon={IconRefresh} onClick={() => of.again(upload)}>
        Try again
      </Button>
      <IconButton small icon={IconX} label={`Dismiss ${file.name}`} onClick={() => forget([upload])} />
    </Group>
  );
};

/** Tiles of what is on its way, to stand behind those that are there. */
export const UploadTiles = ({ of }: { of: Uploader }) =>
  of.uploads.filter(({ state }) => state !== "failed").map((upload) => <UploadTile key={upload.id} upload={upload} />);

export const FailedUploads = ({ of }: { of: Uploader }) => {
  const failed = of.uploads.filter(({ state }) => state === "failed");
  if (failed.length === 0) return null;
  return (
    <ul className={`${styles.uploadsFailed} t12`} aria-label="Failed uploads">
      {failed.map((upload) => (
        <FailedLine key={upload.id} upload={upload} of={of} />
      ))}
    </ul>
  );
};
