import { Stack, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AccessScope } from "../../../../sandbox/contract/access.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Refused } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Form, Submit } from "../../../components/form.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { serviceKeys } from "../../../kernel/queries/query-keys.ts";
import { callControl } from "../../../lib/service-client.ts";
import { namingWorld } from "../../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../../lib/world-name.ts";
import { type Lifetime, lifetimeEnd, lifetimes, scopeOptions } from "./words.ts";

/** The link to the world, shown once. */
export const CreatedLink = ({ link, says, onDone }: { link: string; says: string; onDone: () => void }) => (
  <Stack gap="md">
    <Text component="p">{says}</Text>
    <Text variant="code" component="p" style={{ overflowWrap: "anywhere" }}>
      {link}
    </Text>
    <span className="acts-end">
      <CopyButton text={link} what="the link" label="Copy link" />
      <Button look="primary" onClick={onDone}>
        Done
      </Button>
    </span>
  </Stack>
);

interface ScopeFieldProps {
  readonly world: string;
  /** True if the world is new: it then has no other keys to lose. */
  readonly isNew?: boolean;
  readonly scope: AccessScope;
  readonly onChange: (scope: AccessScope) => void;
}

/** The scope of a token, with its effect on the world's keys. */
export const ScopeField = ({ world, isNew = false, scope, onChange }: ScopeFieldProps) => {
  const isDefault = world === DEFAULT_WORLD && !isNew;
  const keys = isNew ? undefined : "The world gets its own keys. The service’s keys stop working in it.";
  return (
    <SelectField
      label="Scope"
      value={scope}
      options={scopeOptions.map((option) => ({ ...option, disabled: isDefault && option.value !== "view" }))}
      onChange={(chosen) => chosen && onChange(chosen)}
      hint={
        isDefault
          ? "The world default has the service’s own keys, so its tokens are view only."
          : scope === "view"
            ? "Can’t change anything or read keys."
            : keys
      }
    />
  );
};

export const CreateToken = ({ world, onDone }: { world: string; onDone: () => void }) => {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<AccessScope>("view");
  const [lifetime, setLifetime] = useState<Lifetime>("90");
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      callControl("tokens.create", { world, name: name.trim(), scope, expires_at: lifetimeEnd(lifetime, Date.now()) }),
    onSettled: () => queries.invalidateQueries({ queryKey: serviceKeys.tokens }),
  });
  if (create.data) {
    const link = `${window.location.origin}${namingWorld("/", world)}#token=${create.data.token}`;
    return (
      <CreatedLink
        link={link}
        says="This link opens the world. It contains the token and can’t be shown again, so copy it now."
        onDone={onDone}
      />
    );
  }
  return (
    <Form onSend={() => name.trim() !== "" && !create.isPending && create.mutate()}>
      <Stack gap="md">
        <TextField label="Name" hint="Whose token it is." value={name} onChange={setName} maxLength={64} autoFocus />
        <ScopeField world={world} scope={scope} onChange={setScope} />
        <SelectField
          label="Expires"
          value={lifetime}
          options={lifetimes}
          onChange={(chosen) => chosen && setLifetime(chosen)}
        />
        <Refused error={create.error} />
        <span className="acts-end">
          <Submit icon={IconKey} busy={create.isPending} disabled={name.trim() === ""}>
            Create token
          </Submit>
        </span>
      </Stack>
    </Form>
  );
};
