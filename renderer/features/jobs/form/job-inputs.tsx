import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { KeyedCredential } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { type FieldName, fieldNames, fieldOf, type JobDraft } from "../../../domain/job/fields.tsx";
import { ChoosePictures } from "../pictures/incoming.tsx";
import pictures from "../pictures/pictures.module.css";
import { FailedUploads, PictureTile, UploadTiles } from "../pictures/tiles.tsx";
import type { Uploader } from "../pictures/use-pictures.ts";
import { useSitesOf, workProvidersQuery } from "../queries.ts";
import styles from "./form.module.css";

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
        Add by URL
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
      className={`row ${styles.addAddress}`}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        add();
      }}
    >
      <TextField
        mono
        label={<span className="sr">Picture URL</span>}
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
const ImagesField = ({ images, onChange, uploader, error }: ImagesFieldProps) => (
  <fieldset className={styles.fieldset} aria-invalid={error !== null}>
    <legend className="field-label">
      <Field of="images" />
    </legend>
    {images.length + uploader.uploads.length > 0 && (
      <ul className={`${pictures.gallery} ${pictures.small}`} aria-label="Pictures in this form">
        {images.map((url) => (
          <PictureTile key={url} url={url} onRemove={() => onChange(images.filter((image) => image !== url))} />
        ))}
        <UploadTiles of={uploader} />
      </ul>
    )}
    <FailedUploads of={uploader} />
    <div className="row row-1 wrap">
      <ChoosePictures onFiles={uploader.add} />
      <AddAddress onAdd={(url) => onChange([...images.filter((image) => image !== url), url])} />
      <span className="field-hint">or drop or paste</span>
    </div>
    {error && (
      <p className="field-error">
        <Icon of={IconAlertTriangle} size={14} />
        <span>{error}</span>
      </p>
    )}
  </fieldset>
);

interface InputsProps {
  readonly draft: JobDraft;
  readonly onChange: (change: Partial<JobDraft>) => void;
  readonly credential: KeyedCredential;
  readonly uploader: Uploader;
  /** What the service refused about a field, in its words. */
  readonly errorAt: (field: FieldName) => string | null;
  /** Whose identity it is: something to type for a new job, fixed for one that exists. */
  readonly identity: ReactNode;
  /** Whether these fields are where the person begins. */
  readonly begins: boolean;
}

/** A field by the person's word for it, with its own name beside that. */
export const Named = ({ field, children }: { field: string; children: string }) => (
  <>
    {children} <span className="m11 t3">{field}</span>
  </>
);

const Field = ({ of }: { of: FieldName }) => <Named field={fieldOf(of).name}>{fieldOf(of).words}</Named>;

export const JobInputs = ({ draft, onChange: set, credential, uploader, errorAt, identity, begins }: InputsProps) => {
  const { sites, isPending } = useSitesOf(credential);
  const providers = useQuery(workProvidersQuery(useWorld(), credential));
  const typed = (within: "vehicle" | undefined) =>
    fieldNames.flatMap((name) => {
      const { typed, within: lies } = fieldOf(name);
      if (typed === undefined || name === "images" || lies !== within) return [];
      return (
        <TextField
          key={name}
          mono={!typed.plain}
          autoFocus={begins && name === "number"}
          label={<Field of={name} />}
          value={draft[name]}
          onChange={(value) => set({ [name]: value })}
          error={errorAt(name)}
          placeholder={typed.placeholder}
          hint={typed.hint?.(draft[name])}
        />
      );
    });
  return (
    <div className={styles.inputs}>
      {identity}
      <SelectField
        label={<Field of="siteId" />}
        value={draft.siteId || null}
        {...(isPending ? { placeholder: "loading…" } : {})}
        onChange={(siteId) => set({ siteId: siteId ?? "" })}
        error={errorAt("siteId")}
        options={sites.map(({ id, name }) => ({ value: id, label: name }))}
        hint={
          <>
            A site of {credential.organization_name} <Origin of="assumption" id="D34" />
          </>
        }
      />
      <div className={styles.pair}>{typed(undefined)}</div>
      <SelectField
        clearable
        label={<Field of="providerId" />}
        placeholder={providers.isPending ? "loading…" : "none (no insurer has access)"}
        value={draft.providerId || null}
        onChange={(providerId) => set({ providerId: providerId ?? "" })}
        error={errorAt("providerId")}
        options={
          providers.data?.items.map(({ organization_id, business_name }) => ({
            value: organization_id,
            label: business_name,
          })) ?? []
        }
      />
      <fieldset className={styles.fieldset}>
        <legend className="field-label">
          <Named field="vehicle">Vehicle</Named>
        </legend>
        <div className={styles.pair}>{typed("vehicle")}</div>
      </fieldset>
      <ImagesField
        images={draft.images}
        onChange={(images) => set({ images })}
        uploader={uploader}
        error={errorAt("images")}
      />
    </div>
  );
};
