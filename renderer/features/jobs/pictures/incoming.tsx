import { FileButton } from "@mantine/core";
import { IconPhotoPlus } from "@tabler/icons-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import styles from "./pictures.module.css";

type OnFiles = (files: readonly File[]) => void;

const carriesFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes("Files") ?? false;

/** The files dropped; a folder has no content of its own. */
const filesIn = (transfer: DataTransfer): File[] =>
  [...transfer.items].flatMap((item) => {
    const file = item.kind === "file" && !item.webkitGetAsEntry()?.isDirectory ? item.getAsFile() : null;
    return file ? [file] : [];
  });

/** A picture let go beside its place would make the browser leave the page for it. */
const stayHere = (event: globalThis.DragEvent) => {
  if (carriesFiles(event.dataTransfer)) event.preventDefault();
};

/** Takes pictures that are dropped anywhere on it or pasted anywhere on the page; says so while one is held above it. */
export const PictureDrop = ({
  words,
  onFiles,
  className,
  children,
}: {
  /** What letting go does: "Drop to add to J-20418". */
  words: string;
  onFiles: OnFiles;
  className: string | undefined;
  children: ReactNode;
}) => {
  const [over, setOver] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const dialog = document.querySelector("[role=dialog][aria-modal=true]");
    // What is pasted while a dialog is on top is meant for what is in it.
    if (files.length === 0 || dialog?.contains(box.current) === false) return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    const gone = new AbortController();
    for (const name of ["dragover", "drop"] as const) window.addEventListener(name, stayHere, gone);
    window.addEventListener("paste", (event) => onPaste(event), gone);
    return () => gone.abort();
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one of three ways; the others are a button and pasting
    <div
      ref={box}
      className={`${styles.drop} ${className}`}
      onDragEnter={(event) => carriesFiles(event.dataTransfer) && setOver(true)}
      onDragOver={(event) => {
        if (!carriesFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        if (!carriesFiles(event.dataTransfer)) return;
        event.preventDefault();
        onFiles(filesIn(event.dataTransfer));
      }}
    >
      {children}
      {over && (
        <div className={styles.dropOver} aria-hidden="true">
          <span className="pop row">
            <Icon of={IconPhotoPlus} />
            {words}
          </span>
        </div>
      )}
    </div>
  );
};

/** Pictures out of the system's own dialog, several at once. */
export const ChoosePictures = ({ onFiles, quiet = false }: { onFiles: OnFiles; quiet?: boolean }) => (
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
      <Button small look={quiet ? "quiet" : "default"} icon={IconPhotoPlus} onClick={onClick}>
        Add pictures
      </Button>
    )}
  </FileButton>
);
