import { Box, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { partnerCalls } from "../../../../sandbox/contract/operations/partner-calls.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { SendKeyForm, Submit } from "../../../components/form.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { useConfirmable } from "../../../domain/credential/keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { RequestPreview } from "../../../domain/exchange/request-preview.tsx";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatAmount, formatList, plural } from "../../../lib/formatting.ts";
import type { usePlaceOrders } from "../mutations.ts";
import { jobInstallHref } from "../open-job.ts";
import { amountText } from "./amounts.ts";
import styles from "./basket.module.css";
import type { BasketChoice } from "./use-choice.ts";

interface PlaceBarProps {
  /** The basket, where Ctrl or Cmd with Enter places. */
  readonly basket: RefObject<HTMLElement | null>;
  readonly row: JobRow;
  readonly credential: KeyedCredential;
  readonly choice: BasketChoice;
  readonly place: ReturnType<typeof usePlaceOrders>;
}

const Warning = ({ children }: { children: ReactNode }) => (
  <Text component="p" size="sm" fw={500} c="var(--wait-text)">
    <Icon of={IconAlertTriangle} size={14} /> {children}
  </Text>
);

/** Warnings before placing: receivers, duplicate orders, and missing keys for a confirmation. */
const Warnings = ({ row, choice: { table, chosen, totals } }: Pick<PlaceBarProps, "row" | "choice">) => {
  const confirmable = useConfirmable();
  const subscriptions = useQuery(subscriptionsQuery(useWorld())).data;
  const again = chosen.filter(({ partIds }) => partIds.some((id) => table.parts.get(id)?.status === "ordered")).length;
  const without = confirmable === null ? [] : totals.suppliers.filter(({ id }) => !confirmable.has(id));
  return (
    <>
      {subscriptions?.length === 0 && (
        <Warning>
          No integration is subscribed to these events: <TextLink href="/webhooks">add a subscription first</TextLink>.
        </Warning>
      )}
      {again > 0 && (
        <Warning>
          {plural(again, "chosen offer is", "chosen offers are")} for parts that are already ordered. They will be
          ordered again.
        </Warning>
      )}
      {without.length > 0 && (
        <Text component="p" variant="aside">
          You can’t confirm orders of {formatList(without.map(({ name }) => name))} here, because you have no key.{" "}
          <TextLink href={jobInstallHref({ scope: "supplier" }, row, "basket")}>Install an integration</TextLink>.
        </Text>
      )}
    </>
  );
};

/** The result of placing in advance, and the button. */
export const PlaceBar = ({ basket, row, credential, choice, place }: PlaceBarProps) => {
  const { totals } = choice;
  const [previewing, setPreviewing] = useState(false);
  const count = totals.suppliers.length;
  const name = count === 0 ? "Place orders" : `Place ${plural(count, "order")}`;
  const hint = count === 0 ? "Choose an offer first" : "";
  const send = () => {
    if (count === 0 || place.isPending) return;
    setPreviewing(false);
    place.mutate(totals.sellableIds);
  };
  useSendKey(basket, "Basket", {
    label: "Place orders for the chosen offers",
    acts: true,
    enabled: count > 0,
    run: send,
  });
  return (
    <>
      <Refused error={place.error} />
      <Group gap="md" wrap="wrap" justify="flex-end" mih={52} p="6px 16px">
        <Box className={styles.says}>
          {count === 0 ? (
            <Text c="secondary">Choose offers to order them. Each supplier gets one order.</Text>
          ) : (
            <>
              Creates <b>{plural(count, "order")}</b> and {count * 2} events.{" "}
              <span className={styles.next}>Next, each supplier confirms its order.</span> <Origin of="extension" />
              <Warnings row={row} choice={choice} />
            </>
          )}
        </Box>
        {count > 0 && (
          <Text component="div" ta="right">
            <Text component="div" fw={600}>
              <Text variant="aside">{row.site.currency_code}</Text> {formatAmount(amountText(totals.amount))}
            </Text>
            <Text component="div" variant="aside" textWrap="nowrap">
              trade price without shipping
            </Text>
          </Text>
        )}
        <Button disabled={count === 0} title={hint} onClick={() => setPreviewing(true)}>
          Preview
        </Button>
        <Button
          look="primary"
          {...(count > 0 && { keys: "mod+enter", acts: true })}
          disabled={count === 0}
          title={hint}
          busy={place.isPending}
          onClick={send}
        >
          {name}
        </Button>
      </Group>
      <Dialog opened={previewing} onClose={() => setPreviewing(false)} title="Request preview" size={640}>
        <SendKeyForm keys={["Preview", name]} onSend={send}>
          <Text component="p" variant="note">
            {partnerCalls["repairer.procurements.place"].summary} This is an extension of the sandbox. The public
            contract doesn’t define how orders are placed. <Origin of="extension" />
          </Text>
          <RequestPreview
            operation="repairer.procurements.place"
            body={{ job_identity: { id: row.id }, sellable_ids: totals.sellableIds }}
            credential={credential}
          />
          <DialogFoot>
            <Button onClick={() => setPreviewing(false)}>Back</Button>
            <Submit>{name}</Submit>
          </DialogFoot>
        </SendKeyForm>
      </Dialog>
    </>
  );
};
