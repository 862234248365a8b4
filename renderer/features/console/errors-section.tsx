import { Box, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { TextLink } from "../../components/link.tsx";
import { Read } from "../../components/read.tsx";
import { Sentence } from "../../components/sentence.tsx";
import { Breakable } from "../../domain/exchange/breakable.tsx";
import type { ConsoleCall } from "../../domain/exchange/console-call.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { policiesQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";
import { type Provocation, provocationKey, provocationsQuery, useReproduce } from "./provocations.ts";

/** Names a call that comes first, and its world if it is another. */
const firstName =
  (here: string) =>
  ({ operation, tenant }: Provocation["after"][number]): string =>
    tenant === here ? operation : `${operation} in world ${tenant}`;

const Row = ({ of, busy, onReproduce }: { of: Provocation; busy: boolean; onReproduce: () => void }) => {
  const world = useWorld();
  const { status, code, sentence, after, fault, needs_policy } = of;
  return (
    <Box component="li" className="hl" p="6px 16px" style={{ overflowWrap: "anywhere" }}>
      <Group>
        <HttpStatus status={status} />
        <Text flex={1} size="sm" fw={500}>
          <Sentence text={sentence} />
        </Text>
        <Button small busy={busy} disabled={needs_policy !== null} onClick={onReproduce}>
          Reproduce <span className="sr">{sentence.replaceAll("`", "")}</span>
        </Button>
      </Group>
      <Text component="p" variant="note" pl={41}>
        <Text component="code" variant="mono" c="dimmed">
          <Breakable code={code} />
        </Text>
        {fault && " A fault returns it."}
        {after.length > 0 && ` First calls ${after.map(firstName(world)).join(" and ")}.`}
        {needs_policy && (
          <>
            {" "}
            First set <code>{needs_policy.name}</code> to <code>{needs_policy.value}</code>.{" "}
            <TextLink href={hrefs.assumption(world, needs_policy.name)}>Open the setting</TextLink>
          </>
        )}
      </Text>
    </Box>
  );
};

/** Every error of an operation, with a button that sends a call to reproduce it. */
export const ErrorsSection = ({ operation, onSend }: { operation: string; onSend: (call: ConsoleCall) => void }) => {
  const world = useWorld();
  const { data: switches } = useQuery(policiesQuery(world));
  const request = { operation, switches };
  const query = useQuery(provocationsQuery(world, request));
  const [opened, setOpened] = useState(false);
  const make = useReproduce(onSend);
  const rows = (items: readonly Provocation[], label: string) => (
    <ul aria-label={label}>
      {items.map((item) => (
        <Row
          key={provocationKey(item)}
          of={item}
          busy={make.isPending && provocationKey(make.variables) === provocationKey(item)}
          onReproduce={() => {
            if (!make.isPending) make.mutate(item);
          }}
        />
      ))}
    </ul>
  );
  const own = query.data?.items.filter((item) => item.own) ?? [];
  const ofAny = query.data?.items.filter((item) => !item.own) ?? [];
  return (
    <section aria-label="Possible errors">
      <div className="sec hl">
        <h3 className="h2">Possible errors</h3>
        {query.data && <Text variant="aside">{own.length}</Text>}
      </div>
      <Read of={query} what="the errors" rows={3}>
        {() => (
          <>
            {rows(own, "Errors of this operation")}
            {ofAny.length > 0 && (
              <Box component="p" pt={2} px="sm" pb="sm">
                <Button small look="quiet" expanded={opened} onClick={() => setOpened(!opened)}>
                  {plural(ofAny.length, "error")} any call can return
                </Button>
              </Box>
            )}
            {opened && rows(ofAny, "Errors any call can return")}
          </>
        )}
      </Read>
    </section>
  );
};
