import type { RecentDeliveries } from "../../../../sandbox/contract/control/rows.ts";

/** Minimum share of first-attempt acknowledgements of a healthy address, whatever the later attempts achieve. */
const STEADY = 0.95;

/** Returns whether all of the newest deliveries arrived, with a sufficient share at the first attempt. */
export const isSteady = ({ ended, at_first_attempt, given_up }: RecentDeliveries): boolean =>
  given_up === 0 && at_first_attempt >= ended * STEADY;

const responseText = ({ failures }: RecentDeliveries, whose: string): string => {
  const statuses = failures.flatMap(({ status }) => status ?? []);
  const silent = failures.find(({ status }) => status === null);
  return [
    ...(statuses.length > 0 ? [`${whose} returned ${[...new Set(statuses)].join(" and ")}`] : []),
    ...(silent
      ? [`${statuses.length > 0 ? "or " : `${whose} `}did not respond (${silent.error ?? "no reason known"})`]
      : []),
  ].join(" ");
};

/**
 * Summarizes hidden problems of the newest deliveries: "12 of 12 needed 3 attempts: your server answered 500. …", and
 * those that never arrived. Null when all were acknowledged at the first attempt.
 * @param whose label of the receiver
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
  return [`${came}: ${responseText(recent, whose)}.`, sent, again].filter(Boolean).join(" ");
};
