import { Text } from "@mantine/core";
import { formatExact, formatSpan } from "../../lib/formatting.ts";
import { useNowText } from "../../lib/world-clock.ts";

/**
 * When the next attempt is made, on the real clock (D84): "next in 12 s", "due now"; "due for 12 s" where it waits behind
 * others, or is under way at a receiver that is slow. Not announced, as it ticks.
 *
 * @param short in the larger unit alone: "in 1 min" beside "next in 1 min 28 s"
 */
export const NextAttempt = ({ at, short = false }: { at: string; short?: boolean }) => {
  const text = useNowText("real", (now) => {
    const left = new Date(at).getTime() - now;
    if (left >= 500) return short ? `in ${/^\d+ \w+/.exec(formatSpan(left))}` : `next in ${formatSpan(left)}`;
    return short || left > -2000 ? "due now" : `overdue by ${formatSpan(-left)}`;
  });
  return (
    <Text dateTime={at} title={formatExact(at)} component="time" textWrap="nowrap">
      {text}
    </Text>
  );
};
