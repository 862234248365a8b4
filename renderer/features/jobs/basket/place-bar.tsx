import { Flex } from "@mantine/core";
import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import type { JobRow, Side } from "../../../../sandbox/contract/control/rows.ts";
import { partnerCalls } from "../../../../sandbox/contract/operations/partner-calls.ts";
import { type KeyedCredential, useCredentials } from "../../../app/acting.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button, IconButton, LinkButton } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { SendKeyForm } from "../../../components/form.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { State } from "../../../components/state.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { useConfirmable } from "../../../domain/credential/keys.ts";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { directoryQuery } from "../../../domain/directory/directory.ts";
import { amountText } from "../../../lib/amounts.ts";
import { formatAmount, formatList, plural } from "../../../lib/formatting.ts";
import { installHref } from "../job-in-sight.ts";
import type { usePlaceOrders } from "../mutations.ts";
import styles from "./basket.module.css";
import { orderedWords } from "./choosing.ts";
import type { BasketChoice } from "./use-choice.ts";

interface PlaceBarProps {
  /** What Ctrl or Cmd with Enter places from: the basket as a whole. */
  readonly basket: RefObject<HTMLElement | null>;
  readonly row: JobRow;
  readonly credential: KeyedCredential;
  readonly choice: BasketChoice;
  readonly place: ReturnType<typeof usePlaceOrders>;
}

type Chosen = BasketChoice["totals"]["suppliers"];

const NOTHING_CHOSEN = "Choose an offer first";

/** Whose orders can be confirmed in this sandbox, and what to do for the others. */
const Confirmable = ({ row, chosen }: Pick<PlaceBarProps, "row"> & { chosen: Chosen }) => {
  const confirmable = useConfirmable();
  const businesses = useQuery(directoryQuery(useWorld())).data ?? [];
  if (confirmable === null) return null;
  const can = chosen.filter(({ id }) => confirmable.has(id)).map(({ name }) => name);
  const without = chosen.filter(({ id }) => !confirmable.has(id));
  const organization = businesses.find(({ id }) => id === without[0]?.id)?.organization_id;
  if (without.length === 0)
    return chosen.length === 1 ? "You can confirm it here." : "You can confirm all of them here.";
  return (
    <>
      {can.length === 0
        ? `You can’t confirm these orders here, because you have no key for ${formatList(without.map(({ name }) => name))}`
        : `You can only confirm orders of ${formatList(can)} here. You have no key for the ${without.length === 1 ? "other" : "others"}`}
      .{" "}
      <span className="nw">
        <TextLink href={installHref({ scope: "supplier", ...(organization ? { organization } : {}) }, row, "basket")}>
          Install an integration
        </TextLink>
        .
      </span>
    </>
  );
};

/**
 * Nothing is sent later for what happened before somebody was subscribed. Each order has an event for the buyer and one
 * for its supplier; of suppliers without a key here nobody can be subscribed.
 */
const NotHeard = ({ credential, chosen }: Pick<PlaceBarProps, "credential"> & { chosen: Chosen }) => {
  const world = useWorld();
  const subscriptions = useQuery(subscriptionsQuery(world)).data;
  const businesses = useQuery(directoryQuery(world)).data;
  const credentials = useCredentials().data;
  if (!subscriptions || !businesses || !credentials) return null;
  const organizations = new Map(businesses.map(({ id, organization_id }) => [id, organization_id]));
  const isDeaf = (side: Side, organizationId: string | undefined) => {
    const keys = credentials.filter((one) => one.scope === side && one.organization_id === organizationId);
    return (
      keys.length > 0 && !subscriptions.some((one) => keys.some((key) => key.integration_id === one.integration_id))
    );
  };
  const deaf = [
    ...(isDeaf("repairer", credential.organization_id) ? [credential.organization_name] : []),
    ...chosen.filter(({ id }) => isDeaf("supplier", organizations.get(id))).map(({ name }) => name),
  ];
  if (deaf.length === 0) return null;
  return (
    <span className="st wait">
      <Icon of={IconAlertTriangle} size={14} />
      <span>
        {subscriptions.length === 0
          ? "No integration is subscribed to these events"
          : `Not subscribed: ${formatList(deaf)}`}
        : <TextLink href="/webhooks">add a subscription first</TextLink>.
      </span>
    </span>
  );
};

/** What placing will do, said before it is done; then the doing. */
export const PlaceBar = ({ basket, row, credential, choice, place }: PlaceBarProps) => {
  const { totals, table, chosen } = choice;
  const [previewing, setPreviewing] = useState(false);
  const count = totals.suppliers.length;
  const nothingLeft = count === 0 && choice.openPartIds.length === 0;
  const again = chosen.filter(({ partIds }) =>
    table.rows.some(({ part }) => part.status === "ordered" && partIds.includes(part.id)),
  ).length;
  const name = `Place ${plural(count, "order")}`;
  const ready = count > 0 && !place.isPending;
  const send = () => {
    if (!ready) return;
    setPreviewing(false);
    place.mutate(totals.sellableIds);
  };
  useSendKey(basket, "Basket", { label: "Place orders for the chosen offers", enabled: ready, run: send });

  return (
    <div className={styles.placer}>
      {place.error && (
        <div className={`row bad ${styles.strip} ${styles.refused}`}>
          <div className="grow">
            <Refused error={place.error} />
          </div>
          <IconButton small icon={IconX} label="Close" onClick={() => place.reset()} />
        </div>
      )}
      <div className={`row row-3 ${styles.bar} ${count === 0 ? styles.idle : ""}`}>
        <div className="grow">
          {nothingLeft ? (
            <span className="t2">{orderedWords(choice)}.</span>
          ) : count === 0 ? (
            <span className="t2">Choose offers to order them. Each supplier gets one order.</span>
          ) : (
            <>
              <div className={styles.says}>
                Creates <b>{plural(count, "order")}</b> in <State of="order_requested" /> and {count * 2} events.{" "}
                <Origin of="extension" />
              </div>
              <Flex className="t12 t3" columnGap="md" rowGap={0} align="stretch" wrap="wrap">
                <NotHeard credential={credential} chosen={totals.suppliers} />
                <span>
                  {again > 0 ? (
                    <span className="st wait">
                      <Icon of={IconAlertTriangle} size={14} />
                      {plural(again, "chosen offer is", "chosen offers are")} for parts that are already ordered. They
                      will be ordered again.
                    </span>
                  ) : (
                    <Confirmable row={row} chosen={totals.suppliers} />
                  )}
                </span>
              </Flex>
            </>
          )}
        </div>
        {count > 0 && (
          <div className="r">
            <div className="w6">{formatAmount(amountText(totals.amount))}</div>
            <div className="t12 t3 nw">trade price</div>
          </div>
        )}
        {nothingLeft ? (
          <LinkButton href={hrefs.job(row.id, "procurements")}>View orders</LinkButton>
        ) : (
          <>
            <Button
              disabled={count === 0}
              onClick={() => setPreviewing(true)}
              title={count === 0 ? NOTHING_CHOSEN : "Preview the request"}
            >
              Preview
            </Button>
            <Button
              look="primary"
              keys="mod+enter"
              disabled={count === 0}
              {...(count === 0 ? { title: NOTHING_CHOSEN } : {})}
              busy={place.isPending}
              onClick={send}
            >
              {count === 0 ? "Place orders" : name}
            </Button>
          </>
        )}
      </div>
      <Dialog opened={previewing} onClose={() => setPreviewing(false)} title="Request preview" size={640}>
        <SendKeyForm keys={["Preview", name]} onSend={send}>
          <p className="t12 t2">
            {partnerCalls["repairer.procurements.place"].summary} This is an extension of the sandbox. The public
            contract doesn’t define how orders are placed. <Origin of="extension" />
          </p>
          <RequestPreview
            operation="repairer.procurements.place"
            body={{ job_identity: { id: row.id }, sellable_ids: totals.sellableIds }}
            credential={credential}
          />
          <DialogFoot>
            <Button onClick={() => setPreviewing(false)}>Back</Button>
            <Button type="submit" look="primary" keys="mod+enter">
              {name}
            </Button>
          </DialogFoot>
        </SendKeyForm>
      </Dialog>
    </div>
  );
};
