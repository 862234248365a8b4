import { SegmentedControl, Stack } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AccessScope } from "../../../../sandbox/contract/access.ts";
import { Refused } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Form, Submit } from "../../../components/form.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { LONG_WORK, useWorldsChanged } from "../../../domain/world/mutations.ts";
import { serviceKeys } from "../../../kernel/queries/query-keys.ts";
import { snapshotsQuery, worldsQuery } from "../../../kernel/queries/world-queries.ts";
import { callControl } from "../../../lib/service-client.ts";
import { DEFAULT_WORLD, nameProblem } from "../../../lib/world-name.ts";
import { CreatedLink, ScopeField } from "./create-token.tsx";

const SEED = "the seed";
const NOW = "now";

/** Derives a world's name from a person's. */
export const worldFor = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);

const NEW = "new";

/** Creates an invitation link: to this world, or to a new one from the seed, this world or one of its snapshots. */
export const Invite = ({ world, onDone }: { world: string; onDone: () => void }) => {
  const [name, setName] = useState("");
  const [typed, setTyped] = useState<string | null>(null);
  const [scope, setScope] = useState<AccessScope>("manage");
  const [start, setStart] = useState(SEED);
  const [into, setInto] = useState(NEW);
  const isNew = into === NEW;
  const worlds = useQuery(worldsQuery()).data ?? [];
  const snapshots = (useQuery(snapshotsQuery()).data ?? []).filter((one) => one.world === world);
  const given = !isNew && world === DEFAULT_WORLD ? "view" : scope;
  const queries = useQueryClient();
  const worldsChanged = useWorldsChanged();
  const to = isNew ? (typed ?? worldFor(name)) : world;
  const taken = worlds.map((one) => one.name);
  const problem = isNew ? nameProblem(to, taken) : null;
  const invite = useMutation({
    mutationKey: LONG_WORK,
    mutationFn: () => {
      const snapshot = start === NOW ? {} : { snapshot: start };
      const from = start === SEED || !isNew ? {} : { from: { world, ...snapshot } };
      return callControl("tokens.invite", { world: to, name: name.trim(), scope: given, ...from });
    },
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: serviceKeys.tokens }), worldsChanged()]),
  });
  if (invite.data) {
    const says = `This link gives ${invite.data.name} the world ${invite.data.world}. It works once, within 7 days, and can’t be shown again.`;
    return <CreatedLink link={invite.data.link} says={says} onDone={onDone} />;
  }
  const isReady = name.trim() !== "" && problem === null;
  return (
    <Form onSend={() => isReady && !invite.isPending && invite.mutate()}>
      <Stack gap="md">
        <TextField label="Name" hint="Who gets the link." value={name} onChange={setName} maxLength={64} autoFocus />
        <SegmentedControl
          aria-label="World of the link"
          data={[
            { value: NEW, label: "A new world" },
            { value: "this", label: world },
          ]}
          value={into}
          onChange={setInto}
        />
        {isNew && (
          <>
            <TextField
              label="World"
              hint="Created now, with its own keys. It never resets when idle."
              value={to}
              onChange={setTyped}
              mono
              maxLength={64}
              error={to === "" ? null : problem}
            />
            <SelectField
              label="Starts from"
              value={start}
              options={[
                { value: SEED, label: "The seed" },
                { value: NOW, label: `${world}, as it is now` },
                ...snapshots.map((one) => ({ value: one.name, label: `${world}, snapshot ${one.name}` })),
              ]}
              onChange={(chosen) => chosen && setStart(chosen)}
            />
          </>
        )}
        <ScopeField world={to} isNew={isNew} scope={given} onChange={setScope} />
        <Refused error={invite.error} />
        <span className="acts-end">
          <Submit icon={IconUserPlus} busy={invite.isPending} disabled={!isReady}>
            {isNew ? "Create world and link" : "Create link"}
          </Submit>
        </span>
      </Stack>
    </Form>
  );
};
