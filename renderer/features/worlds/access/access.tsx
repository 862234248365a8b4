import { Box, Stack, Text } from "@mantine/core";
import { IconKey, IconKeyOff, IconUserPlus } from "@tabler/icons-react";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Token } from "../../../../sandbox/contract/control/service-operations.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { Read } from "../../../components/read.tsx";
import { Note, Section } from "../../../components/section.tsx";
import { ShortTable } from "../../../components/short-table.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { notify } from "../../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../../kernel/queries/query-keys.ts";
import { callControl } from "../../../lib/service-client.ts";
import { worldLink } from "../mutations.ts";
import { CreateToken } from "./create-token.tsx";
import { Invite } from "./invite.tsx";
import { scopeNames } from "./words.ts";

/** Not under the world's own key, because this read isn't a call to it. */
const tokensQuery = (world: string) =>
  queryOptions({
    queryKey: [...serviceKeys.tokens, world],
    queryFn: async ({ signal }) => (await callControl("tokens.list", { world }, { signal })).items,
    staleTime: 0,
  });

const isOver = (at: string): boolean => Date.parse(at) <= Date.now();

const Expiry = ({ token: { expires_at, link_until } }: { token: Token }) => {
  if (link_until !== null)
    return isOver(link_until) ? (
      <State of="cancelled">link expired</State>
    ) : (
      <State of="pending">link not opened</State>
    );
  if (expires_at === null) return "never";
  return isOver(expires_at) ? <State of="cancelled">expired</State> : <Time at={expires_at} on="real" />;
};

/** Confirms a revocation, which can't be undone. */
const Revoke = ({ token: { id, name, world, scope, link_until }, onDone }: { token: Token; onDone: () => void }) => {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => callControl("tokens.revoke", { world, id }),
    onSuccess: () => {
      notify.done({ title: `Revoked the access of ${name} to ${world}`, link: worldLink(world) });
      onDone();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: serviceKeys.tokens }),
  });
  return (
    <Stack gap="md">
      <Text component="p" variant="note">
        {link_until === null
          ? `${name} can no longer open ${world}: pages and programs with this token stop working at once.`
          : `The link stops working: ${name} can no longer open ${world} with it.`}{" "}
        {scope === "view" || link_until !== null ? "" : "API keys that were read with it stay valid. "}
        You can’t undo this.
      </Text>
      <Refused error={revoke.error} />
      <DialogFoot>
        <Button onClick={onDone}>Cancel</Button>
        <Button look="danger" icon={IconKeyOff} busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      </DialogFoot>
    </Stack>
  );
};

interface TokenTableProps {
  readonly world: string;
  readonly tokens: readonly Token[];
  readonly onRevoke: (token: Token) => void;
}

const TokenTable = ({ world, tokens, onRevoke }: TokenTableProps) => (
  <div className="scroll">
    <ShortTable
      label={`Tokens of ${world}, newest first`}
      least={560}
      rows={tokens}
      keyOf={({ id }) => id}
      columns={[
        { head: "Name", cell: ({ name }) => name },
        { head: "Scope", width: 110, cell: ({ scope }) => scopeNames[scope] },
        { head: "Created", width: 110, cell: ({ created_at }) => <Time at={created_at} on="real" /> },
        { head: "Expires", width: 150, cell: (token) => <Expiry token={token} /> },
        {
          ...{ head: "Actions", width: 100, right: true, isHeadHidden: true },
          cell: (token) => (
            <Button small onClick={() => onRevoke(token)}>
              Revoke<span className="sr"> the token of {token.name}</span>
            </Button>
          ),
        },
      ]}
    />
  </div>
);

/** Access besides the operator's: tokens that open only this world. */
export const Access = ({ world }: { world: string }) => {
  const tokens = useQuery(tokensQuery(world));
  const [openDialog, setOpenDialog] = useState<"token" | "invite" | null>(null);
  const close = () => setOpenDialog(null);
  const [revoking, revoke] = useState<Token | null>(null);
  // Keeps the text while the dialog closes.
  const [last, setLast] = useState(revoking);
  if (revoking !== null && revoking !== last) setLast(revoking);
  const keep = () => revoke(null);
  return (
    <Section
      title="Access"
      note="tokens that open only this world"
      actions={
        <>
          <Button small icon={IconUserPlus} onClick={() => setOpenDialog("invite")}>
            Invite
          </Button>
          <Button small icon={IconKey} onClick={() => setOpenDialog("token")}>
            Create token
          </Button>
        </>
      }
    >
      <Read of={tokens} what="the tokens" rows={1}>
        {(rows) =>
          rows.length === 0 ? (
            <Box px="lg" pb="md">
              <Note>No tokens. Create one, or invite somebody by a link, to let them use this world and no other.</Note>
            </Box>
          ) : (
            <TokenTable world={world} tokens={rows} onRevoke={revoke} />
          )
        }
      </Read>
      <Dialog opened={openDialog === "invite"} onClose={close} title="Invite somebody" size={480}>
        <Invite world={world} onDone={close} />
      </Dialog>
      <Dialog opened={openDialog === "token"} onClose={close} title={`Create a token for ${world}`} size={480}>
        <CreateToken world={world} onDone={close} />
      </Dialog>
      <Dialog opened={revoking !== null} onClose={keep} title={`Revoke the access of ${last?.name ?? ""}`} size={440}>
        {last && <Revoke token={last} onDone={keep} />}
      </Dialog>
    </Section>
  );
};
