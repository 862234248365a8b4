import { IconAlertTriangle } from "@tabler/icons-react";
import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Note } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { TextBytes } from "../../../components/text-bytes.tsx";
import { Snippet } from "../drills/snippet.tsx";
import { canCompute } from "../message/notification.ts";
import { SignatureComparison } from "../message/signature-comparison.tsx";
import { VerificationSteps } from "../message/verification-steps.tsx";
import { around, differenceOf } from "./byte-difference.ts";
import type { Finding } from "./finding.ts";
import { EmptyLab } from "./lab-empty.tsx";
import type { Pasted } from "./lab-store.ts";
import { type Analysis, signatureValue } from "./use-analysis.ts";

const Found = ({ finding }: { finding: Finding }) => (
  <li className="webhooks-finding">
    <Icon of={IconAlertTriangle} size={14} />
    <div>
      <h3>{finding.title}</h3>
      <p>{finding.sentence}</p>
      <p className="t2">{finding.mend}</p>
    </div>
  </li>
);

/** The bytes that were sent beside the ones that were pasted, where they differ. */
const Changed = ({ analysis }: { analysis: Analysis }) => {
  const match = analysis.explained?.match;
  if (match?.body.kind !== "sent" || analysis.body === null) return null;
  const difference = differenceOf(analysis.body, match.body.bytes);
  if (!difference) return null;
  const pasted = around(analysis.body, difference.mine);
  const sent = around(match.body.bytes, difference.theirs);
  return (
    <section className="webhooks-lab-part" aria-label="Where the bytes differ">
      <h3 className="h2">They differ at byte {difference.mine.start}</h3>
      <dl className="kv webhooks-lab-bytes">
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

const Verdict = ({ reason }: Pick<Analysis, "reason">) =>
  reason === null ? (
    <p className="webhooks-lab-verdict">
      <State of="passed">verified</State>
      <span>
        A correct consumer acknowledges it with <b className="m">200</b>. <Origin of="contract" />
      </span>
    </p>
  ) : (
    <p className="webhooks-lab-verdict">
      <State of="refused">refused</State>
      <span>
        A correct consumer answers{" "}
        <b className="m">{reason === "missing_signature" || reason === "bad_signature" ? 401 : 400}</b>{" "}
        <span className="m11">{reason}</span>. <Origin of="assumption" id="D78" tight />
      </span>
    </p>
  );

/** What is wrong with what was pasted, and what to do about it. */
export const LabResult = ({ pasted, analysis }: { pasted: Pasted; analysis: Analysis }) => {
  const { body, header, explained, findings, steps, reason, noSecret, now } = analysis;
  if (pasted.body === "" && pasted.header === "") return <EmptyLab />;
  const value = signatureValue(header);
  const judgedAt = new Date(now ?? Date.now()).toISOString();
  return (
    <article className="webhooks-lab scroll" aria-label="What the lab found">
      <section aria-label="Verification">
        <VerificationSteps
          verification={[...steps]}
          judged={{
            bytes: body ?? new Uint8Array(),
            headers: value === null ? [] : [[SIGNATURE_HEADER, value]],
            at: judgedAt,
          }}
        />
      </section>
      {(explained !== null || value === null) && <Verdict reason={reason} />}
      {!canCompute() && (
        <div className="webhooks-notes">
          <Note>
            This address is not a secure context, so the page cannot compute signatures. Open the explorer under
            127.0.0.1 or localhost.
          </Note>
        </div>
      )}
      {noSecret !== null && value !== null && (
        <div className="webhooks-notes">
          <Note>{noSecret}</Note>
        </div>
      )}
      {findings.length > 0 && (
        <section aria-label="What is wrong">
          <ul className="webhooks-findings">
            {findings.map((finding) => (
              <Found key={finding.code} finding={finding} />
            ))}
          </ul>
        </section>
      )}
      <Changed analysis={analysis} />
      {explained && value !== null && (
        <section className="webhooks-lab-part" aria-label="The signatures">
          <SignatureComparison received={value} computed={explained.computed} />
        </section>
      )}
      {reason !== null && (
        <section className="webhooks-mending" aria-label="Code that does">
          <h3 className="h2">Code that refuses it for the same reason</h3>
          <Snippet reason={reason} />
        </section>
      )}
    </article>
  );
};
