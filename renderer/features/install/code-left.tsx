import { formatExact } from "../../lib/formatting.ts";
import { useCodeLeft } from "./code-clock.ts";

/** The time a code has left, as a clock; not announced by itself. */
export const CodeLeft = ({ expiresAt }: { expiresAt: string }) => (
  <time dateTime={expiresAt} title={formatExact(expiresAt)} className="nw">
    {useCodeLeft(expiresAt)}
  </time>
);
