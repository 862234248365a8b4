import { Group } from "@mantine/core";
import { IconAlertTriangle, IconFlask } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { useWorld } from "../../../app/world.ts";
import { worldSummaryQuery } from "../../../app/world-queries.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Note } from "../../../components/section.tsx";
import { State, type StateName } from "../../../components/state.tsx";
import { TextBytes } from "../../../components/text-bytes.tsx";
import { deliveryQuery } from "../../../domain/delivery/queries.ts";
import type { ByteRange } from "../../../lib/bytes.ts";
import { Snippet } from "../drills/snippet.tsx";
import { canCompute } from "../message/notification.ts";
import { SignatureComparison, VerificationSteps } from "../message/verification-steps.tsx";
import shared from "../webhooks.module.css";
import { type Analysis, nothing, signatureValue } from "./analysis.ts";
import { isRight } from "./explain-signature.ts";
import { type Finding, findingsText, receiverFindings } from "./findings.ts";
import styles from "./lab.module.css";
import { attemptForLab, loadLab, type Pasted } from "./lab-store.ts";

/**
 * Where two bodies differ: what lies in each between what they begin with alike and what they end with alike. Null when
 * they are the same.
 */
export const differenceOf = (mine: Uint8Array, theirs: Uint8Array) => {
  const shorter = Math.min(mine.length, theirs.length);
  let start = 0;
  while (start < shorter && mine[start] === theirs[start]) start += 1;
  if (start === mine.length && start === theirs.length) return null;
  let end = 0;
  while (end < shorter - start && mine[mine.length - 1 - end] === theirs[theirs.length - 1 - end]) end += 1;
  return { mine: { start, end: mine.length - end }, theirs: { start, end: theirs.length - end } };
};

/** A part of a body around a stretch, with where the stretch lies in it. */
export const around = (bytes: Uint8Array, { start, end }: ByteRange, context = 24) => {
  const from = Math.max(0, start - context);
  return {
    bytes: bytes.subarray(from, Math.min(bytes.length, end + context)),
    range: { start: start - from, end: end - from },
  };
};

/** The lab is empty: what it is for, and something to begin with: the last delivery that was acknowledged. */
const EmptyLab = () => {
  const world = useWorld();
  const id = useQuery(worldSummaryQuery(world)).data?.deliveries.last_delivered?.id;
  const newest = useQuery({ ...deliveryQuery(world, id ?? ""), enabled: id !== undefined }).data;
  const attempt = newest?.attempts.at(-1);
  return (
    <div className={shared.first}>
      <NothingYet
        icon={IconFlask}
        title="Paste what arrived"
        actions={
          newest &&
          attempt && <Button onClick={() => loadLab(attemptForLab(newest, attempt))}>Use latest delivery</Button>
        }
      >
        Paste a body, its header and a secret. The lab checks the four verification steps and finds the mistake: a wrong
        secret, a re-serialised body, hex instead of base64, a wrong clock.
      </NothingYet>
    </div>
  );
};

const Findings = ({ findings }: { findings: readonly Finding[] }) => (
  <ul className="hb">
    {findings.map(({ code, title, sentence, mend }) => (
      <li key={code} className={styles.finding}>
        <Icon of={IconAlertTriangle} size={14} />
        <div>
          <h3>{title}</h3>
          <p>{sentence}</p>
          <p className="t2">{mend}</p>
        </div>
      </li>
    ))}
  </ul>
);

/** The bytes that were sent beside the ones that were pasted, where they differ. */
const Changed = ({ body, explained }: Pick<Analysis, "body" | "explained">) => {
  const match = explained?.match;
  if (match?.body.kind !== "sent" || body === null) return null;
  const difference = differenceOf(body, match.body.bytes);
  if (!difference) return null;
  const pasted = around(body, difference.mine);
  const sent = around(match.body.bytes, difference.theirs);
  return (
    <section className={`stack ${styles.part}`} aria-label="Where the bytes differ">
      <h3 className="h2">They differ at byte {difference.mine.start}</h3>
      <dl className="kv">
        <dt>Sent</dt>
        <dd>
          <TextBytes bytes={sent.bytes} label="Sent" marks={[sent.range]} />
        </dd>
        <dt>Pasted</dt>
        <dd>
          <TextBytes bytes={pasted.bytes} label="Pasted" marks={[pasted.range]} />
        </dd>
      </dl>
    </section>
  );
};

/** How something stands, in a word and a sentence. */
const Told = ({ of, word, children }: { of: StateName; word: string; children?: ReactNode }) => (
  <Group className="hb" component="p" gap={10} wrap="nowrap" py={10} px="lg">
    <State of={of}>{word}</State>
    <span>{children}</span>
  </Group>
);

const Verdict = ({ reason, settled }: Pick<Analysis, "reason" | "settled">) => {
  if (!settled) return <Told of="running" word="checking" />;
  if (reason === null)
    return (
      <Told of="passed" word="verified">
        A correct receiver acknowledges it with <b className="m">200</b>. <Origin of="contract" />
      </Told>
    );
  return (
    <Told of="refused" word="refused">
      A correct receiver answers{" "}
      <b className="m">{reason === "missing_signature" || reason === "bad_signature" ? 401 : 400}</b>{" "}
      <span className="m11">{reason}</span>. <Origin of="assumption" id="D78" />
    </Told>
  );
};

/** What the receiver's own signature says of why it refuses. */
const OfReceiver = ({ findings, verified }: { findings: readonly Finding[]; verified: boolean }) => (
  <section aria-label="What your receiver computed">
    {findings.length > 0 ? (
      <Told of="refused" word="not the same">
        Your receiver computed another signature.
      </Told>
    ) : (
      <Told of="passed" word="the same">
        Your receiver computed it with this secret over these bytes.{" "}
        {verified
          ? "Both are correct. Check how your receiver reads the header and compares the values."
          : "The received notification is invalid for the reason above."}
      </Told>
    )}
    <Findings findings={findings} />
  </section>
);

/** What is wrong with what was pasted, and what to do about it. */
export const LabResult = ({ pasted, analysis }: { pasted: Pasted; analysis: Analysis }) => {
  const { body, header, explained, theirs, settled, findings, steps, reason, noSecret, now } = analysis;
  if (pasted.body === "" && pasted.header === "") return <EmptyLab />;
  const value = signatureValue(header);
  const judgedAt = new Date(now ?? Date.now()).toISOString();
  const ofReceiver = theirs ? receiverFindings(theirs, explained) : [];
  const unchecked = canCompute()
    ? value && noSecret
    : "Signatures can’t be computed at this address. Open the explorer at 127.0.0.1 or localhost.";
  return (
    <article className="grow scroll" aria-label="What the lab found" aria-busy={!settled}>
      <section aria-label="Verification">
        <VerificationSteps
          verification={steps}
          judged={{
            bytes: body ?? nothing,
            headers: value === null ? [] : [[SIGNATURE_HEADER, value]],
            at: judgedAt,
          }}
        />
      </section>
      {(explained !== null || value === null || !settled) && <Verdict reason={reason} settled={settled} />}
      {pasted.at !== "" && now !== null && (
        <Group className="t12 t2 hb" component="p" gap={10} wrap="nowrap" py={10} px="lg">
          Verified as of {judgedAt} (the time in the form).
        </Group>
      )}
      {unchecked && (
        <div className={`stack hl ${shared.notes}`}>
          <Note>{unchecked}</Note>
        </div>
      )}
      {findings.length > 0 && (
        <section aria-label="What is wrong">
          <Findings findings={findings} />
        </section>
      )}
      <Changed body={body} explained={explained} />
      {theirs && <OfReceiver findings={ofReceiver} verified={explained?.match ? isRight(explained.match) : false} />}
      {settled && findings.length + ofReceiver.length > 0 && (
        <div className={`stack ${styles.part}`}>
          <CopyButton
            text={findingsText({ from: pasted.from, at: judgedAt }, findings, ofReceiver)}
            what="this for the partner"
            label="Copy for partner"
          />
        </div>
      )}
      {explained && value !== null && (
        <section className={`stack ${styles.part}`} aria-label="The signatures">
          <SignatureComparison name="Received" received={value} computed={explained.computed} />
        </section>
      )}
      {reason !== null && (
        <section className={`stack ${styles.part}`} aria-label="Code that does">
          <h3 className="h2">Code that refuses it for the same reason</h3>
          <Snippet reason={reason} />
        </section>
      )}
    </article>
  );
};
