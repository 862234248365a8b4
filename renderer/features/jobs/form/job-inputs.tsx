import { Fieldset, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { TextField } from "../../../components/fields.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { TextAreaField } from "../../../components/text-area-field.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { type FieldName, fieldNames, type JobDraft, jobField } from "../fields.tsx";
import { useSites, workProvidersQuery } from "../queries.ts";
import type { Edits } from "./job-draft.ts";

interface InputsProps {
  readonly draft: JobDraft;
  readonly onChange: (change: Edits) => void;
  readonly credential: KeyedCredential;
  /** Returns the service's message about a field. */
  readonly errorAt: (field: FieldName) => string | null;
  /** The identity: an input for a new job, fixed for an existing one. */
  readonly identity: ReactNode;
  /** True if these fields get the initial focus. */
  readonly begins?: boolean;
}

/** A field's label with its API name. */
export const Named = ({ field, children }: { field: string; children: string }) => (
  <>
    {children}{" "}
    <Text variant="mono" c="dimmed">
      {field}
    </Text>
  </>
);

/** Explains missing choices. */
const loadErrorText = (error: Error | null, what: string) => error && `Couldn’t load the ${what}. ${error.message}`;

export const JobInputs = ({ draft, onChange: set, credential, errorAt, identity, begins = false }: InputsProps) => {
  const { sites, isPending, error } = useSites(credential);
  const providers = useQuery(workProvidersQuery(useWorld(), credential));
  const input = (name: FieldName) => {
    const { typed, words, name: key } = jobField(name);
    const Input = typed?.lines ? TextAreaField : TextField;
    return (
      <Input
        key={name}
        mono
        autoFocus={begins && name === "number"}
        label={<Named field={key}>{words}</Named>}
        value={draft[name]}
        onChange={(value) => set({ [name]: value })}
        error={errorAt(name)}
        placeholder={typed?.placeholder ?? ""}
        hint={typed?.hint?.(draft[name])}
      />
    );
  };
  const typed = (within: "vehicle" | undefined) =>
    fieldNames.filter((name) => {
      const field = jobField(name);
      return field.typed !== undefined && !field.typed.lines && field.within === within;
    });
  const select = (name: FieldName) => ({
    label: <Named field={jobField(name).name}>{jobField(name).words}</Named>,
    value: draft[name] || null,
    onChange: (id: string | null) => set({ [name]: id ?? "" }),
    error: errorAt(name),
  });
  return (
    <Stack gap="md">
      {identity}
      <SelectField
        {...select("siteId")}
        {...(isPending ? { placeholder: "loading…" } : {})}
        error={errorAt("siteId") ?? loadErrorText(error, "sites")}
        options={sites.map(({ id, name }) => ({ value: id, label: name }))}
        hint={
          <>
            A site of {credential.organization_name} <Origin of="assumption" id="D34" />
          </>
        }
      />
      <SimpleGrid cols={2} spacing="md" style={{ alignItems: "start" }}>
        {typed(undefined).map(input)}
      </SimpleGrid>
      <SelectField
        {...select("providerId")}
        clearable
        placeholder={providers.isPending ? "loading…" : providers.isError ? "" : "No insurer has access"}
        error={errorAt("providerId") ?? loadErrorText(providers.error, "insurers")}
        options={(providers.data?.items ?? []).map(({ organization_id, business_name }) => ({
          value: organization_id,
          label: business_name,
        }))}
      />
      <Fieldset
        variant="unstyled"
        legend={<Named field="vehicle">Vehicle</Named>}
        styles={{ legend: { paddingBottom: 8 } }}
      >
        <SimpleGrid cols={2} spacing="md" style={{ alignItems: "start" }}>
          {typed("vehicle").map(input)}
        </SimpleGrid>
      </Fieldset>
      {input("images")}
    </Stack>
  );
};
