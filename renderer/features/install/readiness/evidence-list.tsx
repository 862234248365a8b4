import { Stack, Text } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { IssuedEvidence } from "../../../../sandbox/contract/control/readiness-operations.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { Id } from "../../../components/id.tsx";
import { Section } from "../../../components/section.tsx";
import { ShortTable } from "../../../components/short-table.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { notify } from "../../../kernel/notices/notices.tsx";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { controlQuery } from "../../../lib/control-query.ts";
import { callControl } from "../../../lib/service-client.ts";
import { hasScope } from "../../../lib/world-access.ts";

export const evidenceKey = (world: string, integrationId: string) =>
  worldKeys(world).readiness(integrationId, "evidence");

/** Confirms a revocation, because copies of the file stay unchanged. */
const Revoke = ({
  evidence: { id, world, integration_id },
  onDone,
}: {
  evidence: IssuedEvidence;
  onDone: () => void;
}) => {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => callControl("evidence.revoke", { world, id }),
    onSuccess: () => {
      notify.done({ title: `Revoked evidence ${id}` });
      onDone();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: evidenceKey(world, integration_id) }),
  });
  return (
    <Stack gap="md">
      <Text component="p" variant="note">
        Copies of the file remain, and their signature stays valid. From now on, this sandbox reports the file as
        revoked. You can’t undo this.
      </Text>
      <Refused error={revoke.error} />
      <DialogFoot>
        <Button onClick={onDone}>Cancel</Button>
        <Button look="danger" icon={IconFileOff} busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      </DialogFoot>
    </Stack>
  );
};

/** Signed files of an integration, newest first; empty without any. */
export const EvidenceList = ({ integrationId }: { integrationId: string }) => {
  const world = useWorld();
  const { data } = useQuery(
    controlQuery(evidenceKey(world, integrationId), "evidence.list", { world, integration_id: integrationId }),
  );
  const [revoking, revoke] = useState<IssuedEvidence | null>(null);
  // Keeps the text while the dialog closes.
  const [last, setLast] = useState(revoking);
  if (revoking !== null && revoking !== last) setLast(revoking);
  const keep = () => revoke(null);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title="Evidence" note="signed files of this page">
      <ShortTable
        label="Issued evidence, newest first"
        rows={data.items}
        keyOf={({ id }) => id}
        columns={[
          { head: "Issued", width: 104, cell: ({ issued_at }) => <Time at={issued_at} on="real" /> },
          { head: "ID", width: 112, cell: ({ id }) => <Id value={id} what="ID of the evidence" /> },
          {
            head: "Checks",
            cell: ({ met, required, plan }) => `${met} of ${required} met${plan === null ? "" : `, plan ${plan}`}`,
          },
          {
            ...{ head: "State", width: 96 },
            title: ({ revoked_for }) => revoked_for ?? undefined,
            cell: ({ revoked_at }) =>
              revoked_at === null ? <State of="done">holds</State> : <State of="cancelled">revoked</State>,
          },
          {
            ...{ head: "Actions", width: 88, right: true, isHeadHidden: true },
            cell: (one) =>
              one.revoked_at === null &&
              hasScope("manage") && (
                <Button small onClick={() => revoke(one)}>
                  Revoke<span className="sr"> evidence {one.id}</span>
                </Button>
              ),
          },
        ]}
      />
      <Dialog opened={revoking !== null} onClose={keep} title="Revoke this evidence" size={440}>
        {last && <Revoke evidence={last} onDone={keep} />}
      </Dialog>
    </Section>
  );
};
