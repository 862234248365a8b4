import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { plural, receiverAddress } from "../../../../sandbox/contract/text.ts";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { State } from "../../../components/state.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import type { Difference } from "../../../lib/diff.ts";
import { Code, part } from "../parts.tsx";
import { type Compared, closestMatch, compare, findMessageId, sentQuery } from "./as-sent.ts";

const written = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

const sentences = {
  reordered: "The values are the same, but the keys are in another order.",
  printed: "The values are the same, but spaces, line breaks or escapes differ.",
} as const;

const differenceText = (compared: Compared): string => {
  if (compared.kind === "same") return "Every byte is as it was sent.";
  if (compared.kind === "printed") return compared.isReordered ? sentences.reordered : sentences.printed;
  if (compared.kind === "bytes") return `This isn’t JSON. It differs from byte ${compared.at + 1} on.`;
  const { length } = compared.differences;
  return `${plural(length, "value")} ${length === 1 ? "differs" : "differ"} from what was sent.`;
};

const Values = ({ of }: { of: readonly Difference[] }) => (
  <KeyValue
    rows={of.map(({ path, before, after }) => [
      path,
      <Code key={path}>
        sent {written(before)}, pasted {written(after)}
      </Code>,
    ])}
  />
);

/** Differences between pasted values and the service's attempt with the same `message_id`. */
export const ComparedWithSent = ({ body, signature }: { body: Uint8Array; signature: string | null }) => {
  const world = useWorld();
  const messageId = findMessageId(body);
  const { data: attempts } = useQuery(sentQuery(world, messageId));
  if (messageId === null || attempts === undefined) return null;
  const closest = closestMatch(attempts, body, signature);
  const compared = closest && compare(closest.body, body);
  return (
    <Stack component="section" {...part} gap="xs" aria-label="Compared with what was sent">
      <h3 className="h2">Compared with what was sent</h3>
      {closest && compared ? (
        <>
          <Group component="p">
            <State of={compared.kind === "same" ? "passed" : "refused"}>
              {compared.kind === "same" ? "as sent" : "not as sent"}
            </State>
            <span>{differenceText(compared)}</span>
          </Group>
          {compared.kind === "values" && <Values of={compared.differences} />}
          <Text component="p" variant="note">
            Compared with attempt {closest.number} of{" "}
            <TextLink href={hrefs.delivery(closest.delivery.id)}>
              {closest.delivery.event_type} {closest.delivery.label}
            </TextLink>{" "}
            to {receiverAddress(closest.delivery.url)}
          </Text>
        </>
      ) : (
        <p>This world sent no delivery with this message_id. Most drills have IDs of their own.</p>
      )}
    </Stack>
  );
};
