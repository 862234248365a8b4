import { Box, FileButton, Group, Overlay } from "@mantine/core";
import { IconPhotoPlus } from "@tabler/icons-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";

type OnFiles = (files: readonly File[]) => void;

const carriesFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes("Files") ?? false;

/** Folders are dropped without content. */
const droppedFiles = (transfer: DataTransfer): File[] =>
  [...transfer.items].flatMap((item) => {
    const file = item.kind === "file" && !item.webkitGetAsEntry()?.isDirectory ? item.getAsFile() : null;
    return file ? [file] : [];
  });

interface PictureDropProps {
  /** The effect of a drop: "Drop to add to J-20418". */
  readonly words: string;
  readonly onFiles: OnFiles;
  readonly children: ReactNode;
}

/** Accepts pictures dropped on its content or pasted on the page; shows a hint during a drag. */
export const PictureDrop = ({ words, onFiles, children }: PictureDropProps) => {
  const [over, setOver] = useState(false);
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    // A paste belongs to an open dialog.
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
    // Keyboard users have the button and paste instead of the drop.
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
        // The window has already opened a dropped scenario or HAR.
        if (!carriesFiles(event.dataTransfer) || event.defaultPrevented) return;
        event.preventDefault();
        onFiles(droppedFiles(event.dataTransfer));
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

/** Opens the system's dialog for several pictures. */
export const ChoosePictures = ({ onFiles }: { onFiles: OnFiles }) => (
  <FileButton
    multiple
    accept="image/png,image/jpeg,image/webp,image/gif,image/heic,.heic"
    inputProps={{
      "aria-label": "Pictures to add",
      // Allows choosing the same file again.
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
