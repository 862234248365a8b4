import { Box, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Fragment, useEffect, useRef } from "react";
import type { Client, Organization, Side } from "../../../sandbox/contract/control/rows.ts";
import { errorCodes } from "../../../sandbox/contract/errors.ts";
import { Button } from "../../components/button.tsx";
import { Refused } from "../../components/failing.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { Sentence } from "../../components/sentence.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { Origin } from "../../domain/decision/origin.tsx";
import { Breakable } from "../../domain/exchange/breakable.tsx";
import { useWorld } from "../../kernel/world/world.ts";
import { announce } from "../../lib/announce.ts";
import { useNow } from "../../lib/world-clock.ts";
import { type FailureCase, type FailureContext, failureCases } from "./failures.ts";
import { flowQuery } from "./flow.ts";
import { ViewCall } from "./view-call.tsx";

interface FailureRowProps {
  readonly failure: FailureCase;
  /** The number of its check, on the check's first row. */
  readonly number: number | null;
  readonly context: FailureContext;
}

/** A failure of an install: runs on request, then shows the response and its cause. */
const FailureRow = ({ failure, number, context }: FailureRowProps) => {
  const { title, code, warning, why, assumed } = failure;
  const expected = errorCodes[code].status;
  const tried = useMutation({
    mutationFn: async () => ({ exchange: await failure.run(context), at: new Date().toISOString() }),
    onSuccess: ({ exchange }) => announce(`${title}: ${exchange.status} ${exchange.failure?.code ?? "accepted"}`),
  });
  const response = tried.data?.exchange;
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (response) line.current?.scrollIntoView({ block: "nearest" });
  }, [response]);
  const asExpected = response?.status === expected && response.failure?.code === code;
  return (
    <Stack ref={line} component="li" gap={2} className="hl" py={10} pr="lg" pl={44} pos="relative">
      <Text size="sm" lh="24px" c="dimmed" pos="absolute" left={16} aria-hidden="true">
        {number}
      </Text>
      <Group>
        <Text component="h3" flex={1} fw={400}>
          {title}
        </Text>
        {response ? (
          <HttpStatus status={response.status} />
        ) : (
          <Text variant="code" c="dimmed" title="Response by the contract">
            {expected}
          </Text>
        )}
        <Button small busy={tried.isPending} onClick={() => tried.mutate()}>
          {response ? "Again" : "Try"}
          <span className="sr"> {title}</span>
        </Button>
      </Group>
      <Text component="p" variant="mono" c="secondary">
        <Breakable code={code} />
      </Text>
      {warning && !response && (
        <Text component="p" variant="aside">
          {warning}
        </Text>
      )}
      <Refused error={tried.error} />
      {tried.data && response && (
        <Stack gap="xs" variant="note">
          <Group wrap="wrap">
            <Text fw={500} c="bright">
              Tried <Time at={tried.data.at} as="clock" on="real" />
            </Text>
            <ViewCall requestId={response.requestId} of={title} />
          </Group>
          {asExpected ? (
            <p>
              <Sentence text={why} />{" "}
              {assumed?.map((id) => (
                <Fragment key={id}>
                  <Origin of="assumption" id={id} />{" "}
                </Fragment>
              )) ?? <Origin of="contract" />}
            </p>
          ) : (
            <p>
              <State of="failed">unexpected</State> The response was {response.status}{" "}
              <Text variant="mono">{response.failure?.code ?? "without an error"}</Text>. The contract says {expected}.
            </p>
          )}
        </Stack>
      )}
    </Stack>
  );
};

/** Every failure of an install in the order of the checks, each with one click. */
export const FailureList = ({
  clients,
  organization,
  scope,
}: {
  clients: readonly Client[];
  organization: Organization;
  scope: Side;
}) => {
  const world = useWorld();
  const { data: buyer } = useQuery(flowQuery(world, "repairer"));
  const { data: supplier } = useQuery(flowQuery(world, "supplier"));
  const now = useNow("world", 1000);
  const client = clients.find(({ oauth_enabled }) => oauth_enabled);
  const closedClient = clients.find(({ oauth_enabled }) => !oauth_enabled);
  if (!client || !closedClient) return null;
  const flows = [buyer, supplier].filter(({ code }) => code?.client_id === client.client_id);
  const running = flows.find(({ code, installed }) => code && !installed && Date.parse(code.expires_at) > now);
  const used = flows.find(({ installed }) => installed)?.code;
  const context = {
    world,
    client,
    closedClient,
    scope,
    organizationId: organization.id,
    live: running?.code ?? null,
    usedCode: used?.access_code ?? null,
  };
  return (
    <aside className="scroll" aria-labelledby="install-failures">
      <div className="sec">
        <h2 id="install-failures">Ways it fails</h2>
        <Text variant="aside">checked in this order</Text>
      </div>
      <ol>
        {failureCases.map((failure, index) => (
          <FailureRow
            key={failure.title}
            failure={failure}
            number={failureCases[index - 1]?.check === failure.check ? null : failure.check}
            context={context}
          />
        ))}
      </ol>
      <Box variant="note" className="hl" component="p" pt={10} pr="lg" pb="lg" pl={44}>
        The contract has no error <Text variant="mono">invalid_client</Text>. <Origin of="contract" />
      </Box>
    </aside>
  );
};
