import { IconClock } from "@tabler/icons-react";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Origin } from "../../components/origin.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { formatSpan } from "../../lib/formatting.ts";
import { useCodeClock } from "./code-clock.ts";
import { CodeLeft } from "./code-left.tsx";
import { CODE_LIFETIME_MS, type Installed, type IssuedCode, issuedAt } from "./flow.ts";
import { useMoveClock } from "./mutations.ts";
import { Step } from "./step.tsx";

/** "ac_8Qf2…kW": enough to recognise a code that no longer opens anything. */
export const shortCode = (code: string): string => (code.length <= 12 ? code : `${code.slice(0, 7)}…${code.slice(-2)}`);

/** Step 3: the code with its time running out, and ways to see what happens when it has. */
export const CodeStep = ({ code, onAnother, busy }: { code: IssuedCode; onAnother: () => void; busy: boolean }) => {
  const { leftMs, fraction, ranOut } = useCodeClock(code.expires_at);
  const clock = useMoveClock();
  return (
    <Step number={3} stage="now" title="Access code" aside="single use">
      <div className={`install-code ${ranOut ? "bad" : "wait"}`}>
        <div className="row">
          <span className="m w5 wrapany">{code.access_code}</span>
          <CopyButton text={code.access_code} what="access code" />
          <span className="grow" />
          {ranOut ? (
            <State of="failed">ran out</State>
          ) : (
            <span className="install-left">
              <CodeLeft expiresAt={code.expires_at} />
            </span>
          )}
        </div>
        <div className="install-track" aria-hidden="true">
          <i style={{ width: `${(fraction * 100).toFixed(2)}%` }} />
        </div>
        <div className="row wrap t12 t3">
          <span>
            issued <Time at={issuedAt(code)} as="clock" />
          </span>
          <span className="grow" />
          <span>
            {ranOut ? "ran" : "runs"} out <Time at={code.expires_at} as="clock" />, world clock{" "}
            <Origin of="assumption" id="D22" tight />
          </span>
        </div>
      </div>
      <div className="row wrap">
        {!ranOut && (
          <Button
            small
            icon={IconClock}
            busy={clock.isPending}
            title={`Moves the world’s clock ahead by ${formatSpan(leftMs + 1000)}: everything in this world follows it`}
            onClick={() => clock.mutate(Math.ceil(leftMs / 1000) + 1)}
          >
            Let it run out
          </Button>
        )}
        <Button small look={ranOut ? "default" : "quiet"} busy={busy} onClick={onAnother}>
          Issue another
        </Button>
      </div>
    </Step>
  );
};

/** Step 3 once the install has consumed the code. */
export const CodeDone = ({ code, installed }: { code: IssuedCode; installed: Installed }) => {
  const left = new Date(code.expires_at).getTime() - new Date(installed.at).getTime();
  return (
    <Step number={3} stage="done" title="Access code" aside={<Time at={installed.at} as="clock" />}>
      <p>
        <span className="m11" title={code.access_code}>
          {shortCode(code.access_code)}
        </span>{" "}
        consumed after {formatSpan(CODE_LIFETIME_MS - left)}, {formatSpan(left)} before its end
      </p>
    </Step>
  );
};
