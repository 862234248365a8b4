import { Box, FileButton, Group, Overlay } from "@mantine/core";
import { IconPhotoPlus } from "@tabler/icons-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";

type OnFiles = (files: readonly File[]) => void;

const carriesFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes("Files") ?? false;

/** A folder has no content of its own. */
const filesIn = (transfer: DataTransfer): File[] =>
  [...transfer.items].flatMap((item) => {
    const file = item.kind === "file" && !item.webkitGetAsEntry()?.isDirectory ? item.getAsFile() : null;
    return file ? [file] : [];
  });

interface PictureDropProps {
  /** What letting go does: "Drop to add to J-20418". */
  readonly words: string;
  readonly onFiles: OnFiles;
  readonly children: ReactNode;
}

/** Takes pictures that are dropped anywhere on it or pasted anywhere on the page; says so while one is held above it. */
export const PictureDrop = ({ words, onFiles, children }: PictureDropProps) => {
  const [over, setOver] = useState(false);
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    // What is pasted while a dialog is on top is meant for the dialog.
    if (files.length === 0 || document.querySelector("[role=dialog][aria-modal=true]")) return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    const gone = new AbortController();
    window.addEventListener("paste", (event) => onPaste(event), gone);
    return () => gone.abort();
  }, []);
  return (
    // Dropping is one of three ways; the others are a button and pasting.
    <Box
      className="scroll"
      pos="relative"
      flex={1}
      onDragEnter={(event) => carriesFiles(event.dataTransfer) && setOver(true)}
      onDragLeave={({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        // A scenario or a HAR that is let go here was opened by the window.
        if (!carriesFiles(event.dataTransfer) || event.defaultPrevented) return;
        event.preventDefault();
        onFiles(filesIn(event.dataTransfer));
      }}
    >
      {children}
      {over && (
        <Overlay
          color="var(--accent-tint)"
          backgroundOpacity={0.8}
          center
          aria-hidden
          style={{ pointerEvents: "none" }}
        >
          <Group component="span" className="pop" p="12px 16px" c="var(--accent-text)">
            <Icon of={IconPhotoPlus} />
            {words}
          </Group>
        </Overlay>
      )}
    </Box>
  );
};

/** Pictures out of the system's own dialog, several at once. */
export const ChoosePictures = ({ onFiles }: { onFiles: OnFiles }) => (
  <FileButton
    multiple
    accept="image/png,image/jpeg,image/webp,image/gif,image/heic,.heic"
    inputProps={{
      "aria-label": "Pictures to add",
      // The same file can be chosen again.
      onClick: ({ currentTarget }) => {
        currentTarget.value = "";
      },
    }}
    onChange={onFiles}
  >
    {({ onClick }) => (
      <Button small needs="act" look="quiet" icon={IconPhotoPlus} onClick={onClick}>
        Add pictures
      </Button>
    )}
  </FileButton>
);
