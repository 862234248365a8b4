import type { ReactNode } from "react";
import { Origin } from "../../components/origin.tsx";
import { CodeLeft } from "./code-left.tsx";

export interface FailureFacts {
  /** When the running code ends; null without one. */
  readonly liveUntil: string | null;
  readonly hasUsedCode: boolean;
}

const StillGood = ({ liveUntil }: FailureFacts) =>
  liveUntil === null ? (
    <>A failed install consumes nothing. </>
  ) : (
    <>
      A failed install consumes nothing, so the code is still good for <CodeLeft expiresAt={liveUntil} />.{" "}
    </>
  );

/** What one should know before trying: only where a try leaves something behind. */
export const failureWarnings: Readonly<Record<string, (facts: FailureFacts) => ReactNode>> = {
  "expired-code": () => <>Moves the world’s clock 15 min 1 s ahead: a running code ends with it.</>,
  "used-code": ({ hasUsedCode }) =>
    hasUsedCode ? null : (
      <>Installs once to use a code up. That key is marked in the list, and nothing calls with it.</>
    ),
};

/** Why the service answers so, by case. */
export const failureWords: Readonly<Record<string, (facts: FailureFacts) => ReactNode>> = {
  "unknown-client": () => (
    <>
      The client is looked up first; nothing else was read. The contract has no{" "}
      <span className="m11">invalid_client</span>. <Origin of="contract" />
    </>
  ),
  "closed-client": () => (
    <>
      The client exists and its secret was right, but it is not enabled for OAuth install. That is checked before the
      secret. <Origin of="contract" />
    </>
  ),
  "wrong-secret": (facts) => (
    <>
      The secret is compared in constant time, after the client is known and before the code is looked at.{" "}
      <StillGood {...facts} />
      <Origin of="assumption" id="D23" tight />
    </>
  ),
  "unknown-code": () => (
    <>
      No consent ever handed this code out. Unknown, expired and consumed codes are one error: a caller learns nothing
      about which. <Origin of="contract" />
    </>
  ),
  "expired-code": () => (
    <>
      The code was issued, then the world’s clock moved past its fifteen minutes. Codes follow the world’s clock.{" "}
      <Origin of="assumption" id="D22" tight /> <Origin of="assumption" id="D84" tight />
    </>
  ),
  "used-code": () => (
    <>
      A code is single-use: the install that succeeded consumed it, and its integration is not touched.{" "}
      <Origin of="contract" />
    </>
  ),
  "foreign-code": () => (
    <>
      The code was issued for the other client. It stays unused for that one. <Origin of="assumption" id="D22" tight />
    </>
  ),
};
