import { Group, SimpleGrid, Text } from "@mantine/core";
import { useMemo } from "react";
import type { Verdict } from "../../../../sandbox/contract/control/rows.ts";
import { SIGNATURE_HEADER, type VerificationStep } from "../../../../sandbox/contract/signature.ts";
import { State } from "../../../components/state.tsx";
import styles from "./message.module.css";
import { findSignature, notificationField, shortSignature } from "./notification.ts";

const stepNames: Record<VerificationStep, string> = {
  header_present: "Header present",
  signature_matches: "Signature matches",
  timestamp_parses: "Timestamp is valid",
  within_window: "Within 5 minutes",
};

const states = { passed: "passed", failed: "refused", skipped: "skipped" } as const;

/** "22:05:07.204Z": a timestamp's time of day as written. */
const clockPart = (stamp: string) => stamp.split("T")[1] ?? stamp;

/** A received or sent notification, with the time of verification. */
interface VerifiedMessage {
  readonly bytes: Uint8Array;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  /** RFC 3339. */
  readonly at: string;
}

/** The four steps in the contract's verification order. */
export const VerificationSteps = ({
  verification,
  judged: { bytes, headers, at },
}: {
  verification: readonly Verdict[];
  judged: VerifiedMessage;
}) => {
  const stamp = useMemo(() => notificationField(bytes, "webhook_timestamp"), [bytes]);
  const signature = findSignature(headers);
  /** The value that each step checks, for a visual comparison. */
  const lookedAt: Record<VerificationStep, readonly [text: string, title: string]> = {
    header_present: [SIGNATURE_HEADER, SIGNATURE_HEADER],
    signature_matches: signature ? [shortSignature(signature), signature] : ["no header", ""],
    timestamp_parses: stamp === null ? ["no webhook_timestamp", ""] : [clockPart(stamp), stamp],
    within_window: [`at ${clockPart(at)}`, `The clock of the check: ${at}`],
  };
  return (
    <SimpleGrid
      component="ol"
      className={`hb ${styles.steps}`}
      type="container"
      cols={{ base: 2, "640px": 4 }}
      spacing="md"
      px="lg"
      py={10}
    >
      {verification.map(({ step, verdict, detail }, index) => {
        const [text, title] = lookedAt[step];
        return (
          <li key={step}>
            <Group component="h3" gap="xs" fz="sm" lh="sm" style={{ whiteSpace: "nowrap" }}>
              <Text c="dimmed">{index + 1}</Text>
              {stepNames[step]}
            </Group>
            <Text component="p" variant="mono" c="dimmed" style={{ overflowWrap: "anywhere" }} title={title}>
              {text}
            </Text>
            <State of={states[verdict]} title={`${verdict}: ${detail}`}>
              <span className="sr">{verdict}: </span>
              {detail}
            </State>
          </li>
        );
      })}
    </SimpleGrid>
  );
};
