import type { RecentDeliveries } from "../../../../sandbox/contract/control/rows.ts";

/** Addresses that acknowledge less than this at the first attempt don't work well, whatever becomes of it later. */
const STEADY = 0.95;

/** Whether all of the newest deliveries arrived, and so many at the first attempt that nothing has to be said. */
export const isSteady = ({ ended, at_first_attempt, given_up }: RecentDeliveries): boolean =>
  given_up === 0 && at_first_attempt >= ended * STEADY;

const answerWords = ({ failures }: RecentDeliveries, whose: string): string => {
  const answered = failures.flatMap(({ status }) => status ?? []);
  const silent = failures.find(({ status }) => status === null);
  return [
    ...(answered.length > 0 ? [`${whose} returned ${[...new Set(answered)].join(" and ")}`] : []),
    ...(silent
      ? [`${answered.length > 0 ? "or " : `${whose} `}did not respond (${silent.error ?? "no reason known"})`]
      : []),
  ].join(" ");
};

/**
 * What the newest deliveries to an address hide: "12 of 12 needed 3 attempts: your server answered 500. …", and which of
 * them never arrived. Null where all were acknowledged at the first attempt.
 *
 * @param whose what the receiver is called
 */
export const recentSentence = (recent: RecentDeliveries, whose = "your server"): string | null => {
  const { ended, at_first_attempt, given_up, least_attempts: least, most_attempts: most } = recent;
  if (at_first_attempt === ended) return null;
  const later = ended - at_first_attempt - given_up;
  const came = [
    ...(given_up > 0 ? [`${given_up} of ${ended} failed`] : []),
    ...(later > 0 ? [`${later} of ${ended} needed ${least === most ? most : `${least} to ${most}`} attempts`] : []),
  ].join(", ");
  const sent = given_up > 0 ? "A failed delivery is sent again only manually." : "";
  const again = later > 0 ? "The same `message_id` is sent each time, so deduplicate." : "";
  return [`${came}: ${answerWords(recent, whose)}.`, sent, again].filter(Boolean).join(" ");
};
