import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Icon } from "../../../components/icon.tsx";
import { ChoosePictures } from "../pictures/incoming.tsx";
import { FailedUploads, PictureTile, UploadTiles } from "../pictures/tiles.tsx";
import type { Uploader } from "../pictures/uploader.ts";
import { useUploadList } from "../pictures/use-uploads.ts";

interface ImagesFieldProps {
  readonly images: readonly string[];
  readonly onChange: (images: readonly string[]) => void;
  readonly uploader: Uploader;
  readonly error: string | null;
}

/** Any address can be an image: the service judges it. */
const AddAddress = ({ onAdd }: { onAdd: (url: string) => void }) => {
  const [open, setOpen] = useState(false);
  const [url, setUrl] = useState("");
  if (!open)
    return (
      <Button small look="quiet" onClick={() => setOpen(true)}>
        Add an address
      </Button>
    );
  const add = () => {
    if (url === "") return;
    onAdd(url);
    setUrl("");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter adds the address instead of sending the whole form
    <div
      className="row jobs-add-address"
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        add();
      }}
    >
      <TextField
        mono
        label={<span className="sr">Address of a picture</span>}
        value={url}
        onChange={setUrl}
        placeholder="https://…"
      />
      <Button small disabled={url === ""} onClick={add}>
        Add
      </Button>
    </div>
  );
};

/** The pictures a body names: sent from here, or by an address that is known. */
export const ImagesField = ({ images, onChange, uploader, error }: ImagesFieldProps) => {
  const uploads = useUploadList(uploader);
  return (
    <fieldset className="jobs-fieldset" aria-invalid={error !== null}>
      <legend className="field-label">images</legend>
      {images.length + uploads.length > 0 && (
        <ul className="jobs-gallery small" aria-label="Pictures in the body">
          {images.map((url) => (
            <PictureTile key={url} url={url} onRemove={() => onChange(images.filter((image) => image !== url))} />
          ))}
          <UploadTiles uploads={uploads} uploader={uploader} />
        </ul>
      )}
      <FailedUploads uploads={uploads} uploader={uploader} />
      <div className="row row-1 wrap">
        <ChoosePictures onFiles={uploader.add} />
        <AddAddress onAdd={(url) => onChange([...images.filter((image) => image !== url), url])} />
        <span className="field-hint">or drop, or paste</span>
      </div>
      {error && (
        <p className="field-error">
          <Icon of={IconAlertTriangle} size={14} />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  );
};
