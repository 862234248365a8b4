import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Sentence } from "../../components/sentence.tsx";
import { useWorld } from "../../kernel/world/world.ts";
import { Origin } from "../decision/origin.tsx";
import { exchangeQuery } from "../exchange/queries.ts";
import { explanationQuery } from "./queries.ts";
import { refusalVerdict, type Verdict, verdictText } from "./verdict.ts";

/** A failure's cause, the responsible side, and the fix. @param text the same as text for the partner */
export const VerdictNote = ({ verdict, text }: { verdict: Verdict; text: string }) => {
  const { cause, whose, assumption, remedy } = verdict;
  return (
    <Group
      wrap="wrap"
      variant="note"
      role="note"
      aria-label="Why it failed"
      gap="4px 8px"
      px="md"
      py={6}
      style={{ borderLeft: "2px solid var(--bad)" }}
    >
      <Text component="p" lh="20px" flex="1 1 320px" miw={0}>
        <Text component="b" fw={500} c="bright">
          <Sentence text={cause} />
        </Text>{" "}
        {whose} {assumption && <Origin of="assumption" id={assumption} />} <Sentence text={remedy} />
      </Text>
      <CopyButton text={text} what="this for your partner" label="Copy for partner" />
    </Group>
  );
};

/** The verdict on a call; empty for a success. */
export const CallVerdict = ({ row }: { row: RequestRow }) => {
  const world = useWorld();
  const failed = row.status === 0 || row.status >= 400;
  const { data } = useQuery(explanationQuery(world, failed ? row.id : null));
  const { data: detail } = useQuery({ ...exchangeQuery(world, row.id), enabled: failed });
  if (!data?.refusal) return null;
  return <VerdictNote verdict={refusalVerdict(data.refusal)} text={verdictText(detail ?? row, data.refusal)} />;
};

/** The verdict on a call by its ID; empty while loading. */
export const VerdictOn = ({ id }: { id: string }) => {
  const { data } = useQuery(exchangeQuery(useWorld(), id));
  return data ? <CallVerdict row={data} /> : null;
};
