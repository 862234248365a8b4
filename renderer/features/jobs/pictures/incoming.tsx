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

/** Takes pictures that are dropped anywhere on it; says so while one is held above it. */
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
  useEffect(() => {
    const names = ["dragover", "drop"] as const;
    for (const name of names) window.addEventListener(name, stayHere);
    return () => {
      for (const name of names) window.removeEventListener(name, stayHere);
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one of three ways; the others are a button and pasting
    <div
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

/** Pictures pasted anywhere on the page, while `here` says that they are meant for this. */
export const usePastedPictures = (onFiles: OnFiles, here: () => boolean): void => {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || !here()) return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onPaste(event);
    window.addEventListener("paste", listener);
    return () => window.removeEventListener("paste", listener);
  }, []);
};

/** Pictures out of the system's own dialog, several at once. */
export const ChoosePictures = ({ onFiles, quiet = false }: { onFiles: OnFiles; quiet?: boolean }) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif,image/heic,.heic"
        aria-label="Pictures to add"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // The same file can be chosen again.
          event.currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button small look={quiet ? "quiet" : "default"} icon={IconPhotoPlus} onClick={() => input.current?.click()}>
        Add pictures
      </Button>
    </>
  );
};
