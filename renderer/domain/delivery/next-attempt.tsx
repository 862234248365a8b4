import { Text } from "@mantine/core";
import { formatExact, formatSpan } from "../../lib/formatting.ts";
import { useNowValue } from "../../lib/world-clock.ts";

/**
 * Time until the next attempt on the real clock (D84): "next in 12 s", "due now"; "due for 12 s" when it waits for
 * others or for a slow receiver. Not announced to screen readers, because it ticks.
 * @param short only the larger unit: "in 1 min" instead of "next in 1 min 28 s"
 */
export const NextAttempt = ({ at, short = false }: { at: string; short?: boolean }) => {
  const text = useNowValue("real", (now) => {
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
