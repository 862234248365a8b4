import { formatExact, formatSpan } from "../../lib/formatting.ts";
import { useNowText } from "../../lib/world-clock.ts";

/** When the next attempt is made, on the real clock (D84): "next in 12 s", "due now". Not announced, as it ticks. */
export const NextAttempt = ({ at }: { at: string }) => {
  const text = useNowText("real", (now) => {
    const left = new Date(at).getTime() - now;
    return left < 500 ? "due now" : `next in ${formatSpan(left)}`;
  });
  return (
    <time dateTime={at} title={formatExact(at)} className="nw">
      {text}
    </time>
  );
};
