import { IconAlertTriangle, IconCheck, IconEyeOff, IconRefresh, IconWebhook, IconX } from "@tabler/icons-react";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import type { Scene, SceneWebhook, Screen } from "../../../sandbox/contract/story.ts";
import { SideGlyph, sideClass } from "../../components/side.tsx";
import styles from "./story.module.css";

const statuses = {
  order_requested: ["Order requested", "wait"],
  order_confirmed: ["Order confirmed", "ok"],
  cancelled: ["Cancelled", "off"],
} as const;

const Was = ({ was }: { was: string | undefined }) =>
  was === undefined ? null : (
    <span className={styles.was}>
      {" "}
      was <s>{was}</s>
    </span>
  );

const Status = ({ status }: { status: NonNullable<Screen["status"]> }) => {
  const [words, tone] = statuses[status.value];
  const { was } = status;
  const old = was === undefined ? undefined : was.replaceAll("_", " ");
  return (
    <>
      <span className={`${styles.pill} ${tone}`} data-new={was !== undefined}>
        {words}
      </span>
      <Was was={old} />
    </>
  );
};

/** One row per part, one column per supplier; the next order's offers are marked. */
const Offers = ({ offers: { suppliers, parts } }: { offers: NonNullable<Screen["offers"]> }) => (
  <table className={styles.offers}>
    <thead>
      <tr>
        <th scope="col">Part</th>
        {suppliers.map((name) => (
          <th key={name} scope="col" title={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {parts.map(({ part, cells }, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two parts may have one name, and rows never move
        <tr key={row}>
          <th scope="row">{part}</th>
          {cells.map((cell, column) => (
            <td key={suppliers[column]} data-picked={cell?.chosen} data-none={cell === null}>
              {cell === null ? (
                "no offer"
              ) : (
                <>
                  <small>{cell.condition}</small> {cell.price}
                  {cell.chosen && <span className="sr">, chosen</span>}
                </>
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const VERIFIED = {
  header_present: "Header present",
  signature_matches: "Signature matches",
  timestamp_parses: "Timestamp valid",
  within_window: "Within 5 min",
} as const;

const responseText = ({ status, answered, verification }: SceneWebhook) => {
  const isSigned = verification.every(({ verdict }) => verdict === "passed");
  if (status === "delivered")
    return isSigned ? (["ok", IconCheck, "Verified"] as const) : (["wait", IconCheck, "Delivered"] as const);
  const what = answered === null ? "no response" : `answered ${answered}`;
  return status === "pending"
    ? (["wait", IconRefresh, `${what}, will be retried`] as const)
    : (["bad", IconAlertTriangle, `${what}, failed`] as const);
};

const Webhook = ({ webhook }: { webhook: SceneWebhook }) => {
  const [tone, Icon, words] = responseText(webhook);
  return (
    <div className={`${styles.webhook} ${tone}`}>
      <div className={styles.arrived}>
        <IconWebhook className="i" aria-hidden="true" />
        Signed webhook{webhook.receiver && ` to “${webhook.receiver}”`}{" "}
        <span className={styles.mono}>{webhook.event_type}</span>
        <b>
          <Icon className="i" aria-hidden="true" />
          {words}
        </b>
      </div>
      <div className={styles.verified}>
        {webhook.verification.map(({ step, verdict }) => (
          <span key={step}>
            {verdict === "passed" ? (
              <IconCheck className="i" aria-hidden="true" />
            ) : (
              <IconX className="i" aria-hidden="true" />
            )}
            {VERIFIED[step]}
            {verdict !== "passed" && ` ${verdict}`}
          </span>
        ))}
      </div>
    </div>
  );
};

/** Number of notifications that fit below the screen. */
const MAX_SHOWN = 2;

interface SideScreenProps {
  readonly side: Side;
  readonly screen: Screen | null;
  readonly isChanged: boolean;
  readonly webhooks: readonly SceneWebhook[];
  /** Where the step acts: another world of the run, and what it can't show there. */
  readonly scene: Pick<Scene, "world" | "missing" | "unshown" | "repairer"> | undefined;
}

/** Says what a step can't show; null when it shows everything. */
const missingText = ({ world, missing, unshown }: NonNullable<SideScreenProps["scene"]>): string | null => {
  const where = world === undefined ? "" : ` in the world ${world}`;
  if (missing !== undefined) return `This step shows ${missing}, which isn’t there${where}.`;
  if (unshown === undefined) return null;
  return `${unshown} can’t be shown: it is no job, basket, order, installation or receiver.`;
};

/** Explains an empty screen. */
const emptyText = (side: Side, missing: string | null, other: Screen | null | undefined): string => {
  if (missing !== null) return missing;
  return side === "supplier" && /^(job|basket)\b/.test(other?.note ?? "")
    ? "A supplier doesn’t see jobs and baskets."
    : "Nothing here yet.";
};

/** One side's view after a step; changes are marked, with their previous values. */
export const SideScreen = ({ side, screen, isChanged, webhooks, scene }: SideScreenProps) => {
  const missing = scene ? missingText(scene) : null;
  const where = scene?.world === undefined ? null : `world ${scene.world}`;
  const mine = webhooks.filter((one) => one.side === side);
  const more = mine.length - MAX_SHOWN;
  const who = side === "repairer" ? "The repairer" : "The supplier";
  return (
    <section className={`${styles.screen} ${sideClass(side)}`} data-hot={isChanged} aria-label={`${who}’s screen`}>
      <div className={styles.bar}>
        <SideGlyph side={side} />
        <b>{screen?.name ?? who}</b>
        <small>{[screen?.note, where].filter(Boolean).join(" · ")}</small>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.body} tabIndex={0} aria-label={`What ${who.toLowerCase()} sees`}>
        {screen === null ? (
          <div className={styles.unseen}>
            <IconEyeOff aria-hidden="true" />
            {emptyText(side, missing, scene?.repairer)}
          </div>
        ) : (
          <>
            <div className={styles.title}>
              {screen.title} {screen.status && <Status status={screen.status} />}
            </div>
            {screen.facts.length > 0 && (
              <dl className={styles.facts}>
                {screen.facts.map(({ label, value, was }) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd title={value}>
                      <span data-new={was !== undefined}>{value}</span>
                      <Was was={was} />
                    </dd>
                  </div>
                ))}
              </dl>
            )}
            {screen.offers && <Offers offers={screen.offers} />}
            {screen.lines.length > 0 && (
              <ul className={styles.items}>
                {screen.lines.map(({ text, amount, was }, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same, and lines never move
                  <li key={row}>
                    <span>{text}</span>
                    <span data-new={was !== undefined}>
                      {amount}
                      <Was was={was} />
                    </span>
                  </li>
                ))}
                {screen.total !== null && (
                  <li className={styles.total}>
                    <span>Total</span>
                    <span>{screen.total}</span>
                  </li>
                )}
              </ul>
            )}
          </>
        )}
        {screen !== null && missing !== null && <p className={styles.more}>{missing}</p>}
        <div className={styles.arrivals}>
          {mine.slice(0, MAX_SHOWN).map((one) => (
            <Webhook key={one.delivery_id + one.attempts} webhook={one} />
          ))}
          {more > 0 && <p className={styles.more}>and {more} more</p>}
        </div>
      </section>
    </section>
  );
};
