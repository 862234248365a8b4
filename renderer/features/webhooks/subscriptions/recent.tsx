import { IconAlertTriangle } from "@tabler/icons-react";
import { recentSentence } from "../../../../sandbox/contract/control/recent-words.ts";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { Icon } from "../../../components/icon.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Note } from "../../../components/section.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { formatCount, formatMs, plural } from "../../../lib/formatting.ts";
import { whereTo } from "../where-to.tsx";

/** "0 of 12 at the first attempt", "95 % acknowledged within 34.0 s". */
export const recentWords = ({ ended, at_first_attempt, acknowledged_p95_ms }: Subscription["recent"]): string[] =>
  ended === 0
    ? []
    : [
        `${formatCount(at_first_attempt)} of ${formatCount(ended)} at the first attempt`,
        ...(acknowledged_p95_ms === null ? [] : [`95 % acknowledged within ${formatMs(acknowledged_p95_ms)}`]),
      ];

/** How the newest deliveries to an address went: what "delivered" alone does not show. Nothing before the first. */
export const Recent = ({ of: { recent, url } }: { of: Pick<Subscription, "recent" | "url"> }) => {
  const { ended, at_first_attempt, acknowledged_p95_ms, failures } = recent;
  if (ended === 0) return null;
  const sentence = recentSentence(recent, whereTo(url).kind === "partner" ? "your server" : "the receiver");
  return (
    <>
      {sentence !== null && (
        <Note icon={<Icon of={IconAlertTriangle} size={14} />}>
          <Sentence text={sentence} />
        </Note>
      )}
      <KeyValue
        rows={[
          [
            "First attempt",
            `${formatCount(at_first_attempt)} of the last ${plural(ended, "delivery", "deliveries")} acknowledged (${Math.floor((at_first_attempt / ended) * 100)} %)`,
          ],
          [
            "Time to acknowledge",
            acknowledged_p95_ms === null ? "Never" : `95 % within ${formatMs(acknowledged_p95_ms)}`,
          ],
          failures.length > 0 && [
            "Last failures",
            <span key="failures" className="stack">
              {failures.map(({ delivery_id, status, error, attempts_made, delivered }) => (
                <TextLink key={delivery_id} href={hrefs.delivery(delivery_id)}>
                  {status === null ? (error ?? "No answer") : `Answered ${status}`},{" "}
                  {delivered ? "delivered" : "given up"} after {plural(attempts_made, "attempt")}
                </TextLink>
              ))}
            </span>,
          ],
        ]}
      />
    </>
  );
};
