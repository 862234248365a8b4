import { Box, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconHandStop, IconRepeat } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode, Ref } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { Button } from "../../../components/button.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { Operation } from "../../../domain/exchange/operation.tsx";
import { VerdictOn } from "../../../domain/trace/verdict-note.tsx";
import { useActAs } from "../../../kernel/credentials/acting.ts";
import { policiesQuery } from "../../../kernel/queries/world-queries.ts";
import { useUi } from "../../../kernel/stores/ui-store.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { type Move, useMove, useResponseInView } from "../mutations.ts";
import { orderInstallHref, type TwoSides } from "../two-sides.tsx";
import { type RefusedCall, refusalStatus, refusedCalls } from "./refused-calls.ts";

const Outcome = ({ call, move }: { call: RefusedCall; move: Move }) => {
  const showInWire = useUi((state) => state.showInWire);
  if (move.error) return <Text c="var(--bad-text)">No response: {move.error.message}</Text>;
  if (!move.data) return null;
  const { status, failure, requestId } = move.data;
  const expected = status === refusalStatus(call) && (failure?.code ?? null) === call.expected;
  return (
    <Stack gap="xs" align="flex-start" className="toned off" p="4px 8px">
      <Group wrap="wrap">
        <HttpStatus status={status} />
        <Text variant="mono">{failure?.code ?? "ok"}</Text>
        <span className={`st ${expected ? "ok" : "bad"}`}>
          <Icon of={expected ? IconCheck : IconAlertTriangle} size={14} />
          {expected ? "as expected" : `expected ${refusalStatus(call)}`}
        </span>
      </Group>
      {failure
        ? requestId && <VerdictOn id={requestId} />
        : expected && <p>If your program misses the first response, it can safely confirm again.</p>}
      {requestId && (
        <Text type="button" component="button" size="sm" className="lnk" onClick={() => showInWire(requestId)}>
          View call
        </Text>
      )}
    </Stack>
  );
};

interface LineProps {
  readonly icon: IconOf;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

const Line = ({ icon, children, ref }: LineProps) => (
  <Group component="li" ref={ref} gap={6} align="flex-start" p="4px 16px" fz="sm">
    <Text c="dimmed" mt={2}>
      <Icon of={icon} size={14} />
    </Text>
    <Stack gap={2} flex={1} miw={0}>
      {children}
    </Stack>
  </Group>
);

interface RowProps {
  readonly about: Pick<ProcurementRow, "id" | "job_id" | "reference">;
  readonly call: RefusedCall;
  readonly icon: IconOf;
}

/** A call without effect: expected response and reason, a button to send it, and the response. */
const CallRow = ({ about, call, icon }: RowProps) => {
  const move = useMove(call.operation, about);
  const line = useResponseInView<HTMLDivElement>(move);
  const { key, expected, because, origin } = call;
  return (
    <Line ref={line} icon={icon}>
      <Group>
        <Text flex={1}>{call.title}</Text>
        {key && "missing" in key ? (
          <TextLink href={orderInstallHref({}, about)}>Install</TextLink>
        ) : (
          <Button small busy={move.isPending} onClick={() => move.mutate(key)}>
            Send<span className="sr">: {call.title}</span>
          </Button>
        )}
      </Group>
      <Operation id={call.operation} side={call.side} />
      <Text variant="note">
        <Text variant="mono">
          {refusalStatus(call)} {expected ?? "ok"}
        </Text>
        : {because} <Origin {...origin} />
      </Text>
      {key && "missing" in key && <Text variant="note">{key.missing}</Text>}
      <Outcome call={call} move={move} />
    </Line>
  );
};

const AfterConfirmed = () => (
  <Line icon={IconHandStop}>
    Any step after confirmed
    <Text variant="note">
      No operation: later states are not part of the contract <Origin of="contract" />
    </Text>
  </Line>
);

interface CallsProps extends Pick<RowProps, "about" | "icon"> {
  readonly title: string;
  readonly note?: string;
  readonly calls: readonly RefusedCall[];
  readonly children?: ReactNode;
}

const Calls = ({ title, note, calls, children, ...row }: CallsProps) => (
  <Box className="hl" component="section" flex="none" py="sm" px={0} aria-label={title}>
    <Group gap="sm" wrap="nowrap" mih={24} py={0} px="lg">
      <Text component="h3" fw={500}>
        {title}
      </Text>
      {note && <Text variant="aside">{note}</Text>}
    </Group>
    <ul>
      {calls.map((call) => (
        <CallRow key={call.title} call={call} {...row} />
      ))}
      {children}
    </ul>
  </Box>
);

/** Calls that have no effect now, each of which can be sent. */
export const RefusedList = ({ status, sides }: { status: ProcurementStatus; sides: TwoSides }) => {
  const query = useQuery(policiesQuery(useWorld()));
  const keys = { repairer: useActAs("repairer").candidates, supplier: useActAs("supplier").candidates };
  const { about } = sides.supplier;
  return (
    // The key discards responses from another state.
    <Read key={status} of={query} what="this world’s settings">
      {(policies) => {
        const calls = refusedCalls({ ...sides, status, policies, keys });
        const harmless = calls.filter(({ expected }) => expected === null);
        const refused = calls.filter(({ expected }) => expected !== null);
        return (
          <>
            {harmless.length > 0 && <Calls title="No-op calls" about={about} icon={IconRepeat} calls={harmless} />}
            <Calls
              title="Calls that will be refused"
              note="change nothing"
              about={about}
              icon={IconHandStop}
              calls={refused}
            >
              {status !== "cancelled" && <AfterConfirmed />}
            </Calls>
          </>
        );
      }}
    </Read>
  );
};
