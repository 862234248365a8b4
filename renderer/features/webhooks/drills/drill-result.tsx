import { Stack } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DrillExchange } from "../../../../sandbox/contract/control/receiver-rows.ts";
import type { DrillName } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { Read } from "../../../components/read.tsx";
import { State } from "../../../components/state.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { bytesFromBase64, jsonOf, rangeOfText } from "../../../lib/bytes.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { formatMs } from "../../../lib/formatting.ts";
import { Answer } from "../message/answer.tsx";
import { type Marked, MessagePane, markedField, markedStamp } from "../message/message-pane.tsx";
import { VerificationSteps } from "../message/verification-steps.tsx";
import shared from "../webhooks.module.css";
import styles from "./drills.module.css";
import { type Drilling, drillQuery } from "./run-drills.ts";
import { type Line, UNPROVEN } from "./score.ts";
import { DrillWords, lookOf } from "./score-parts.tsx";
import { Snippet } from "./snippet.tsx";

/** The last character of the job's id: that is the byte the drill flips. */
const flippedByte = (bytes: Uint8Array): Marked | null => {
  const id = fieldIn(fieldIn(jsonOf(bytes), "payload"), "job_id");
  const range = typeof id === "string" ? rangeOfText(bytes, `"job_id":${JSON.stringify(id)}`) : null;
  return range && { range: { start: range.end - 2, end: range.end - 1 }, what: "the flipped byte" };
};

/** What is special about the bytes of a drill; null where it is in no byte of the body. */
export const markedIn = (drill: DrillName, bytes: Uint8Array): Marked | null => {
  switch (drill) {
    case "flipped_byte":
      return flippedByte(bytes);
    case "duplicate":
    case "reordered":
      return markedField(bytes, "message_id");
    case "missing_signature":
    case "wrong_secret":
    case "missing_timestamp":
      return null;
    default:
      return markedStamp(bytes);
  }
};

const Judged = ({ exchange, proves }: { exchange: DrillExchange; proves: boolean }) => {
  const { error } = exchange;
  const sentence = proves || exchange.verdict === "failed" ? exchange.sentence : UNPROVEN;
  return (
    <div className={`stack ${shared.part}`}>
      <p className="row">
        <span className={`m w5 nw ${styles.answers} ${exchange.verdict === "failed" ? "bad" : proves ? "ok" : "off"}`}>
          {exchange.response_status ?? "no answer"}
        </span>
        <span className="t12 t3 nw">after {formatMs(exchange.duration_ms)}</span>
        <span className="t12 t2">{error === null || sentence.includes(error) ? sentence : `${sentence} ${error}`}</span>
      </p>
      {exchange.response_status !== null && <Answer of={exchange} label="answer" />}
    </div>
  );
};

/** What went over the wire: each request as it was sent, what the four steps make of it, and its answer. */
const Exchanges = ({ id, proves }: { id: string; proves: boolean }) => {
  const query = useQuery(drillQuery(useWorld(), id));
  const [chosen, choose] = useState("0");
  return (
    <Read of={query} what="what was sent" rows={5}>
      {(drill) => {
        const exchange = drill.exchanges[Number(chosen)] ?? drill.exchanges[0];
        if (!exchange) return null;
        const bytes = bytesFromBase64(exchange.request_body_base64);
        return (
          <section className={styles.exchange} aria-label="On the wire">
            <div className="sec">
              <h3 className="h2">On the wire</h3>
              {drill.exchanges.length > 1 ? (
                <Segmented
                  label="Which request"
                  options={drill.exchanges.map(({ what }, index) => ({ value: String(index), label: what }))}
                  value={chosen}
                  onChange={choose}
                />
              ) : (
                <span className="t12 t3">{exchange.what}</span>
              )}
            </div>
            <VerificationSteps
              verification={exchange.verification}
              judged={{ bytes, headers: exchange.request_headers, at: exchange.sent_at }}
            />
            <Judged exchange={exchange} proves={proves} />
            <MessagePane
              key={chosen}
              bytes={bytes}
              headers={exchange.request_headers}
              label="Sent"
              marked={markedIn(drill.drill, bytes)}
            />
          </section>
        );
      }}
    </Read>
  );
};

/** The code that refuses what this drill sends; for one that must be acknowledged, in words what it comes to. */
const Mending = ({ line: { drill, expected } }: { line: Line }) => (
  <section className={`stack hl ${styles.mending}`} aria-label="Code that does">
    <h3 className="h2">Code that does</h3>
    <p className="t12 t2">
      {drill === "duplicate" && (
        <>
          Keep the <span className="m11">message_id</span> of what was accepted, for a few days. One that is known is
          answered 200, after the verification and without doing anything else.
        </>
      )}
      {drill === "reordered" &&
        "Acknowledge first, then read the current state through the API: it is right whichever notification came first."}
      {expected.reason &&
        "This function refuses it, in the marked lines. It is tested against the service with every drill; copy the file."}
    </p>
    {expected.reason && <Snippet reason={expected.reason} />}
  </section>
);

/** One drill: what is sent and why, what is right and what came, every byte of it, and the code that does it right. */
export const DrillResult = ({ line, drilling }: { line: Line; drilling: Drilling }) => {
  const { drill, latest, running } = line;
  const { title } = drills[drill];
  const { canRun } = drilling;
  const look = lookOf(line);
  const run = () => drilling.run(drill);
  useKeys("Webhooks", [{ keys: ["r"], label: "Run this drill", acts: true, enabled: canRun && !running, run }]);
  const failed = latest?.verdict === "failed";
  return (
    <article className="grow scroll" aria-label={title}>
      <header className={`row wrap ${shared.bar}`}>
        <h2>{title}</h2>
        <State of={look.state} pill>
          {look.word}
        </State>
        <span className="grow" />
        <Button small icon={IconPlayerPlay} keys="r" busy={running} disabled={!canRun} onClick={run}>
          {latest ? "Run again" : "Run"}
        </Button>
      </header>
      <Stack gap={6} py="md" px="lg" maw="88ch">
        <DrillWords line={line} />
      </Stack>
      {failed && <Mending line={line} />}
      {latest && <Exchanges key={latest.id} id={latest.id} proves={line.proves} />}
      {!failed && <Mending line={line} />}
    </article>
  );
};
