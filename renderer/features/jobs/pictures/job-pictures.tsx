import { Box, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconExternalLink, IconPhotoOff, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { IconButton } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { Section } from "../../../components/section.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { formatBytes, formatCount } from "../../../lib/formatting.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { ChoosePictures } from "./incoming.tsx";
import { discardUpload, type Upload } from "./uploads.ts";
import type { JobPictures } from "./use-pictures.ts";

/** A picture's name: the last part of its URL. */
const pictureName = (url: string): string => {
  const last = URL.parse(url)?.pathname.split("/").at(-1) || url;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};

const isLoopback = (host: string): boolean => ["localhost", "[::1]"].includes(host) || /^127(\.\d+){3}$/.test(host);

/** Path of a picture on this service; null for other servers, which must not be contacted without a request. */
const ownPath = (url: string): string | null => {
  const { origin, hostname, port } = window.location;
  const at = URL.parse(url);
  if (at === null) return null;
  const isHere = at.origin === origin || (isLoopback(hostname) && isLoopback(at.hostname) && at.port === port);
  return isHere ? at.pathname + at.search : null;
};

const frame = {
  ...{ w: "100%", bdrs: "sm", bg: "var(--sunken)" },
  style: { aspectRatio: "4 / 3", objectFit: "cover", overflowWrap: "anywhere" },
} as const;

/** Explains a picture that isn't shown. */
const PicturePlaceholder = ({ icon, children }: { icon: IconOf; children: string }) => (
  <Stack
    {...frame}
    p="xs"
    gap="xs"
    align="center"
    justify="center"
    fz="xs"
    ta="center"
    c="secondary"
    aria-hidden="true"
  >
    <Icon of={icon} />
    {children}
  </Stack>
);

/** A picture on this service; a click opens it. */
const OwnPicture = ({ path, onOpen, children }: { path: string; onOpen: () => void; children: ReactNode }) => {
  const [lost, setLost] = useState(false);
  return (
    <UnstyledButton w="100%" onClick={onOpen}>
      <span className="sr">Open picture </span>
      {lost ? (
        <PicturePlaceholder icon={IconPhotoOff}>can’t be displayed</PicturePlaceholder>
      ) : (
        <Box component="img" {...frame} src={path} alt="" loading="lazy" onError={() => setLost(true)} />
      )}
      {children}
    </UnstyledButton>
  );
};

interface TileProps {
  readonly url: string;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

/** A picture with a remove button. One on another server is an external link. */
const PictureTile = ({ url, onOpen, onRemove }: TileProps) => {
  const path = ownPath(url);
  const name = pictureName(url);
  const host = URL.parse(url)?.host;
  const caption = (
    <Text component="div" size="xs" c="dimmed" truncate>
      {name}
    </Text>
  );
  return (
    <Box component="li" pos="relative" w={160} title={url}>
      {path === null ? (
        <UnstyledButton component="a" w="100%" href={url} target="_blank" rel="noreferrer">
          <span className="sr">Open at {host}: </span>
          <PicturePlaceholder icon={IconExternalLink}>{`Open at ${host}`}</PicturePlaceholder>
          {caption}
        </UnstyledButton>
      ) : (
        <OwnPicture path={path} onOpen={onOpen}>
          {caption}
        </OwnPicture>
      )}
      <Box pos="absolute" top={4} right={4}>
        <IconButton small look="default" icon={IconX} label={`Remove ${name}`} onClick={onRemove} />
      </Box>
    </Box>
  );
};

const uploadPercent = ({ file, sentBytes }: Upload): number =>
  file.size === 0 ? 0 : Math.min(100, Math.round((sentBytes / file.size) * 100));

/** A pending upload with its progress, or a failed one with the service's message. */
const UploadLine = ({ upload }: { upload: Upload }) => {
  const { file, error } = upload;
  const what = error ? `Dismiss ${file.name}` : `Cancel upload of ${file.name}`;
  return (
    <Group component="li" fz="sm" lh="sm" p={4} className={error ? "toned bad" : ""}>
      <Text component="b" fw={500} truncate>
        {file.name}
      </Text>
      {error instanceof ServiceFailure && <HttpStatus status={error.status} />}
      {error ? (
        <Box component="span" flex={1} miw={0} role="alert">
          {error.message}
        </Box>
      ) : (
        <>
          <progress aria-label={`Uploading ${file.name}`} max={100} value={uploadPercent(upload)} />
          <Text flex={1} miw={0} c="dimmed" textWrap="nowrap">
            {uploadPercent(upload)} % of {formatBytes(file.size)}
          </Text>
        </>
      )}
      <IconButton small icon={IconX} label={what} onClick={() => discardUpload(upload)} />
    </Group>
  );
};

/** A job's pictures, with adding, opening and removing. */
export const Pictures = ({ images: stored, of }: Pick<Job, "images"> & { of: JobPictures }) => {
  const images = stored.map(({ public_url }) => public_url);
  const { uploads, isWriting } = of;
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Section
      ruled={false}
      title="Pictures"
      note={images.length > 0 ? formatCount(images.length) : undefined}
      actions={
        <>
          {isWriting && <Text variant="aside">saving…</Text>}
          <ChoosePictures onFiles={of.add} />
        </>
      }
    >
      {images.length > 0 && (
        <Group
          component="ul"
          wrap="wrap"
          gap="md"
          align="flex-start"
          px="lg"
          pb="md"
          aria-label="Pictures of this job"
          aria-busy={isWriting}
        >
          {images.map((url) => (
            <PictureTile key={url} url={url} onOpen={() => setOpen(url)} onRemove={() => of.remove(url)} />
          ))}
        </Group>
      )}
      {uploads.length > 0 && (
        <Stack component="ul" gap="xs" px="lg" pb="md" aria-label="Uploads">
          {uploads.map((upload) => (
            <UploadLine key={upload.id} upload={upload} />
          ))}
        </Stack>
      )}
      <Text component="p" variant="aside" px="lg" pb="lg">
        Drop or paste pictures. Each is uploaded via uploads.prepare, then added to the job in one update.{" "}
        <Origin of="contract" /> <Origin of="assumption" id="D64" />
      </Text>
      <Dialog opened={open !== null} onClose={() => setOpen(null)} title={open ? pictureName(open) : ""} size="auto">
        {open && (
          <Stack>
            <Box
              component="img"
              src={ownPath(open) ?? ""}
              alt={pictureName(open)}
              maw="min(80vw, 1000px)"
              mah="72vh"
              bdrs="sm"
              style={{ objectFit: "contain" }}
            />
            <Group component="span">
              <Text variant="mono" c="secondary" truncate>
                {open}
              </Text>
              <CopyButton text={open} what="public_url" />
            </Group>
          </Stack>
        )}
      </Dialog>
    </Section>
  );
};

/** Shown without the buyer's key. */
export const NoPictures = () => (
  <Section ruled={false} title="Pictures">
    <Text component="p" variant="aside" px="lg" pb="lg">
      Pictures are only visible with a key for this buyer.
    </Text>
  </Section>
);
