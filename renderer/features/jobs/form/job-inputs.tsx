import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { KeyedCredential } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { TextField } from "../../../components/fields.tsx";
import { Origin } from "../../../components/origin.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import type { Uploader } from "../pictures/uploader.ts";
import { useSitesOf, workProvidersQuery } from "../queries.ts";
import { ImagesField } from "./images-field.tsx";
import type { JobDraft } from "./job-draft.ts";
import type { FieldName } from "./refused-at.ts";

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
  readonly begins?: boolean;
}

/** The fields of a job that a partner can write. */
export const JobInputs = ({
  draft,
  onChange: set,
  credential,
  uploader,
  errorAt,
  identity,
  begins = false,
}: InputsProps) => {
  const { sites } = useSitesOf(credential);
  const providers = useQuery(workProvidersQuery(useWorld(), credential));
  const states = ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"];
  return (
    <div className="jobs-inputs">
      {identity}
      <SelectField
        label="repairer_site_id"
        value={draft.siteId || null}
        onChange={(siteId) => set({ siteId: siteId ?? "" })}
        error={errorAt("site")}
        options={sites.map(({ id, name }) => ({ value: id, label: name }))}
        hint={
          <>
            A site of {credential.organization_name} <Origin of="assumption" id="D34" tight />
          </>
        }
      />
      <div className="jobs-pair">
        <TextField
          label="job_number"
          autoFocus={begins}
          value={draft.number}
          onChange={(number) => set({ number })}
          error={errorAt("number")}
          hint={
            <>
              Unique per site <Origin of="contract" />
            </>
          }
          placeholder="none"
        />
        <TextField
          mono
          label="claim_number"
          value={draft.claim}
          onChange={(claim) => set({ claim })}
          error={errorAt("claim")}
          placeholder="none"
        />
      </div>
      <SelectField
        clearable
        label="work_provider_id"
        placeholder="none: no insurer has access"
        value={draft.providerId}
        onChange={(providerId) => set({ providerId })}
        error={errorAt("provider")}
        options={
          providers.data?.items.map(({ organization_id, business_name }) => ({
            value: organization_id,
            label: business_name,
          })) ?? []
        }
      />
      <fieldset className="jobs-fieldset">
        <legend className="field-label">vehicle</legend>
        <div className="jobs-pair">
          <TextField
            mono
            label="plate_number"
            value={draft.plate}
            onChange={(plate) => set({ plate })}
            error={errorAt("plate")}
            placeholder="null"
          />
          <TextField
            mono
            label="plate_state"
            value={draft.plateState}
            onChange={(plateState) => set({ plateState })}
            error={errorAt("plateState")}
            placeholder="null"
            {...(states.includes(draft.plateState) || draft.plateState === ""
              ? {}
              : { hint: "Any text is kept; Australian states are ACT, NSW and so on" })}
          />
        </div>
        <TextField
          mono
          label="chassis_number"
          value={draft.chassis}
          onChange={(chassis) => set({ chassis })}
          error={errorAt("chassis")}
          placeholder="null"
        />
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
