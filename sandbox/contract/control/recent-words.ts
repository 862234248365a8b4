import type { RecentDeliveries } from "./rows.ts";

/** Addresses that acknowledge less than this at the first attempt don't work well, whatever becomes of it later. */
const STEADY = 0.95;

/** Whether so many of the newest deliveries needed no second attempt that nothing has to be said. */
export const isSteady = ({ ended, at_first_attempt }: RecentDeliveries): boolean => at_first_attempt >= ended * STEADY;

const answerWords = ({ failures }: RecentDeliveries, whose: string): string => {
  const answered = failures.flatMap(({ status }) => status ?? []);
  const silent = failures.find(({ status }) => status === null);
  return [
    ...(answered.length > 0 ? [`${whose} answered ${[...new Set(answered)].join(" and ")}`] : []),
    ...(silent
      ? [`${answered.length > 0 ? "or " : `${whose} `}did not answer (${silent.error ?? "no reason known"})`]
      : []),
  ].join(" ");
};

/**
 * What the newest deliveries to an address hide: "12 of 12 needed 3 attempts: your server answered 500. …" Null where all
 * were acknowledged at the first attempt.
 *
 * @param whose what the receiver is called
 */
export const recentSentence = (recent: RecentDeliveries, whose = "your server"): string | null => {
  const { ended, at_first_attempt, least_attempts: least, most_attempts: most } = recent;
  if (at_first_attempt === ended) return null;
  const needed =
    most === 1 ? "were not acknowledged" : `needed ${least === most ? most : `${least} to ${most}`} attempts`;
  const why = `${ended - at_first_attempt} of ${ended} ${needed}: ${answerWords(recent, whose)}.`;
  return `${why} The same \`message_id\` is sent each time, so deduplicate.`;
};
