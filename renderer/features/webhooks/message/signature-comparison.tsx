import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { CopyButton } from "../../../components/copy-button.tsx";

/** A signature whose differences to another are marked, character by character. */
const Signature = ({ value, against }: { value: string; against: string }) => (
  <span className="m wrapany">
    {[...value].map((character, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the characters of a signature never move
      <span key={index} className={character === against[index] ? undefined : "webhooks-differs"}>
        {character}
      </span>
    ))}
  </span>
);

/** The signature that came beside the one there should be. */
export const SignatureComparison = ({ received, computed }: { received: string | null; computed: string }) => (
  <dl className="webhooks-signatures">
    <dt>Received</dt>
    <dd>
      {received === null ? (
        <span className="t3">no {SIGNATURE_HEADER} header</span>
      ) : (
        <Signature value={received} against={computed} />
      )}
    </dd>
    <dd>{received !== null && <CopyButton text={received} what="the received signature" />}</dd>
    <dt>Computed</dt>
    <dd>
      <Signature value={computed} against={received ?? ""} />
    </dd>
    <dd>
      <CopyButton text={computed} what="the computed signature" />
    </dd>
  </dl>
);
