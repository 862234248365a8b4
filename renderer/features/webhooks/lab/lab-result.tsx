import { Box, EmptyState, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconFlask } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { plural, receiverAddress } from "../../../../sandbox/contract/text.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Note } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { deliveryQuery } from "../../../domain/delivery/queries.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { worldSummaryQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import type { Difference } from "../../../lib/diff.ts";
import { canCompute } from "../message/notification.ts";
import { Snippet } from "../message/snippet.tsx";
import { VerificationSteps } from "../message/verification-steps.tsx";
import { Code, part } from "../parts.tsx";
import type { Analysis } from "./analysis.ts";
import { type Compared, closestMatch, compare, findMessageId, sentQuery } from "./as-sent.ts";
import { attemptForLab, loadLab, type Pasted } from "./lab-store.ts";

/** The empty lab: its purpose, and the last acknowledged delivery as an example. */
const EmptyLab = () => {
  const world = useWorld();
  const id = useQuery(worldSummaryQuery(world)).data?.deliveries.last_delivered?.id;
  const newest = useQuery({ ...deliveryQuery(world, id ?? ""), enabled: id !== undefined }).data;
  const attempt = newest?.attempts.at(-1);
  return (
    <EmptyState
      icon={<IconFlask />}
      title="Paste a notification"
      description="Paste a body, its header and a secret. The lab checks the four verification steps and finds the mistake: a wrong secret, a re-serialised body, hex instead of base64, a wrong clock."
    >
      {/* Reserves the button's height, so that content below doesn't move. */}
      <EmptyState.Actions mih={32}>
        {newest && attempt && (
          <Button onClick={() => loadLab(attemptForLab(newest, attempt))}>Use latest delivery</Button>
        )}
      </EmptyState.Actions>
    </EmptyState>
  );
};

const Verdict = ({ reason, settled }: Pick<Analysis, "reason" | "settled">) => {
  if (!settled) return <State of="running">checking</State>;
  if (reason === null)
    return (
      <>
        <State of="passed">verified</State>
        <span>
          A correct receiver acknowledges it with{" "}
          <Text component="b" variant="code">
            200
          </Text>
          . <Origin of="contract" />
        </span>
      </>
    );
  return (
    <>
      <State of="refused">refused</State>
      <span>
        A correct receiver returns{" "}
        <Text component="b" variant="code">
          {reason === "missing_signature" || reason === "bad_signature" ? 401 : 400}
        </Text>{" "}
        <Text variant="mono">{reason}</Text>. <Origin of="assumption" id="D78" />
      </span>
    </>
  );
};

/** Correct code, with comments. */
const CodeFor = ({ reason }: Pick<Analysis, "reason">) => (
  <Stack component="section" {...part} aria-label="Verification code">
    <h3 className="h2">
      {reason === null ? "Code that verifies a notification" : "Code that refuses it for the same reason"}
    </h3>
    <Snippet reason={reason} />
  </Stack>
);

const valueText = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

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
        sent {valueText(before)}, pasted {valueText(after)}
      </Code>,
    ])}
  />
);

/** Differences between pasted values and the service's attempt with the same `message_id`. */
const ComparedWithSent = ({ body, signature }: { body: Uint8Array; signature: string | null }) => {
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

/** Problems of pasted values with their fixes. */
export const LabResult = ({ pasted, analysis }: { pasted: Pasted; analysis: Analysis }) => {
  const { body, value, explained, settled, findings, steps, reason, noSecret, now } = analysis;
  if (pasted.body === "" && pasted.header === "")
    return (
      <div className="scroll">
        <EmptyLab />
        <CodeFor reason={null} />
      </div>
    );
  const judgedAt = new Date(now ?? Date.now()).toISOString();
  const unchecked = canCompute()
    ? value && noSecret
    : "Signatures can’t be computed at this address. Open the explorer at 127.0.0.1 or localhost.";
  return (
    <article className="scroll" aria-label="Lab result" aria-busy={!settled}>
      <section aria-label="Verification">
        <VerificationSteps
          verification={steps}
          judged={{
            bytes: body ?? new Uint8Array(),
            headers: value === null ? [] : [[SIGNATURE_HEADER, value]],
            at: judgedAt,
          }}
        />
      </section>
      {(explained !== null || value === null || !settled) && (
        <Group {...part} component="p">
          <Verdict reason={reason} settled={settled} />
        </Group>
      )}
      {unchecked && (
        <Box {...part}>
          <Note>{unchecked}</Note>
        </Box>
      )}
      {findings.length > 0 && (
        <section aria-label="Problems">
          {findings.map(({ code, title, sentence, mend }) => (
            <Group key={code} role="alert" {...part} align="flex-start">
              <span className="st bad">
                <Icon of={IconAlertTriangle} />
              </span>
              <Stack gap={2} miw={0}>
                <h3 className="h2">{title}</h3>
                <p>{sentence}</p>
                <Text component="p" c="secondary">
                  {mend}
                </Text>
              </Stack>
            </Group>
          ))}
        </section>
      )}
      {body !== null && <ComparedWithSent body={body} signature={value} />}
      {explained && value !== null && (
        <Box component="section" {...part} aria-label="The signatures">
          <KeyValue
            rows={[
              ["Received", <Code key="received">{value}</Code>],
              ["Recomputed here", <Code key="computed">{explained.computed}</Code>],
            ]}
          />
        </Box>
      )}
      <CodeFor reason={reason} />
    </article>
  );
};
