import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { partnerCalls } from "../../../../sandbox/contract/operations/partner-calls.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { hasPlace, hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button, IconButton, LinkButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { State } from "../../../components/state.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { amountText } from "../../../lib/amounts.ts";
import { formatAmount, plural } from "../../../lib/formatting.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { installHref } from "../job-in-sight.ts";
import type { usePlaceOrders } from "../mutations.ts";
import { directoryQuery, subscriptionsQuery } from "../queries.ts";
import { orderedWords } from "./choosing.ts";
import type { BasketChoice } from "./use-choice.ts";

interface PlaceBarProps {
  readonly row: JobRow;
  readonly credential: KeyedCredential;
  readonly choice: BasketChoice;
  readonly confirmable: ReadonlySet<string>;
  readonly place: ReturnType<typeof usePlaceOrders>;
  readonly onPlaced: () => void;
}

const NOTHING_CHOSEN = "Choose an offer first";

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** Whose orders can be confirmed in this sandbox, and what to do for the others. */
const Confirmable = ({
  row,
  chosen,
  confirmable,
}: {
  row: JobRow;
  chosen: ReadonlyArray<readonly [id: string, name: string]>;
  confirmable: ReadonlySet<string>;
}) => {
  const businesses = useQuery(directoryQuery(useWorld())).data ?? [];
  const can = chosen.filter(([id]) => confirmable.has(id)).map(([, name]) => name);
  const without = chosen.filter(([id]) => !confirmable.has(id));
  const cannot = without.map(([, name]) => name);
  const organization = businesses.find(({ id }) => id === without[0]?.[0])?.organization_id;
  if (cannot.length === 0)
    return chosen.length === 1 ? `It can be confirmed here, as ${can.join("")}.` : "All can be confirmed here.";
  return (
    <>
      {can.length === 0 ? "None can be confirmed here" : `Only ${listed(can)} can confirm here`}: the sandbox has no key
      of {listed(cannot)}.{" "}
      {hasPlace("install") && (
        <span className="nw">
          <TextLink href={installHref({ scope: "supplier", ...(organization ? { organization } : {}) }, row, "basket")}>
            Install one
          </TextLink>
          .
        </span>
      )}
    </>
  );
};

/** Nothing is sent later for what happened before somebody was subscribed. */
const Hearing = () => {
  const { data } = useQuery(subscriptionsQuery(useWorld()));
  if (data?.length !== 0) return null;
  return (
    <>
      {" "}
      <b>that nobody hears of</b>
      {hasPlace("webhooks") && (
        <>
          : <TextLink href="/webhooks">subscribe first</TextLink>
        </>
      )}
    </>
  );
};

interface PreviewProps {
  readonly name: string;
  readonly onBack: () => void;
  readonly onSend: () => void;
  readonly children: ReactNode;
}

const Preview = ({ name, onBack, onSend, children }: PreviewProps) => {
  const form = useRef<HTMLDivElement>(null);
  useSendKey(form, "Preview", { label: name, run: onSend });
  return (
    <div ref={form} className="jobs-dialog">
      <p className="t12 t2">
        {partnerCalls["repairer.procurements.place"].summary} It is a convenience of the sandbox: the public contract
        says nothing about how orders are placed. <Origin of="extension" />
      </p>
      {children}
      <div className="row jobs-dialog-foot">
        <Button onClick={onBack}>Back</Button>
        <Button look="primary" keys="mod+enter" onClick={onSend}>
          {name}
        </Button>
      </div>
    </div>
  );
};

/** What placing will do, said before it is done; then the doing. */
export const PlaceBar = ({ row, credential, choice, confirmable, place, onPlaced }: PlaceBarProps) => {
  const { totals, table, chosen } = choice;
  const [previewing, setPreviewing] = useState(false);
  const count = totals.suppliers.length;
  const suppliers = totals.suppliers.map(
    (id) => [id, table.columns.find((column) => column.id === id)?.name ?? id] as const,
  );
  const nothingLeft = count === 0 && choice.openPartIds.length === 0;
  const again = chosen.filter(({ partIds }) =>
    table.rows.some(({ part }) => part.status === "ordered" && partIds.includes(part.id)),
  ).length;
  const name = `Place ${plural(count, "order")}`;
  const ready = count > 0 && !place.isPending;
  const send = () => {
    if (!ready) return;
    setPreviewing(false);
    place.mutate(totals.sellableIds, {
      onSuccess: ({ items }) => {
        choice.clear();
        onPlaced();
        const [first] = items;
        const link =
          items.length === 1 && first
            ? { href: hrefs.procurement(first.id), label: `Open ${first.reference ?? "it"}` }
            : { href: hrefs.job(row.id, "procurements"), label: "Open them" };
        notify.done({ title: `${plural(items.length, "order")} placed`, detail: `${items.length * 2} events.`, link });
      },
    });
  };
  const bar = useRef<HTMLDivElement>(null);
  useSendKey(bar, "Basket", { label: "Place the chosen offers", enabled: ready, run: send });

  return (
    <div ref={bar} className="jobs-place">
      {place.error && (
        <div className="jobs-place-refused row">
          <div className="grow">
            {place.error instanceof ServiceFailure ? (
              <Refusal failure={place.error} />
            ) : (
              <span role="alert">{place.error.message}</span>
            )}
          </div>
          <IconButton small icon={IconX} label="Close" onClick={() => place.reset()} />
        </div>
      )}
      <div className="jobs-place-bar">
        <div className="grow">
          {nothingLeft ? (
            <span className="t2">{orderedWords(choice)}: nothing is left to place.</span>
          ) : count === 0 ? (
            <span className="t2">Choose offers to order them: each supplier gets one procurement.</span>
          ) : (
            <>
              <div>
                Placing makes <b>{plural(count, "procurement")}</b> in <State of="order_requested" /> and emits{" "}
                {count * 2} events
                <Hearing />.
              </div>
              <div className="t12 t3">
                {again > 0 ? (
                  <span className="st wait">
                    <Icon of={IconAlertTriangle} size={14} />
                    {plural(again, "chosen offer is", "chosen offers are")} for parts ordered already: they will be
                    ordered again.
                  </span>
                ) : (
                  <Confirmable row={row} chosen={suppliers} confirmable={confirmable} />
                )}{" "}
                <Origin of="extension" />
              </div>
            </>
          )}
        </div>
        {count > 0 && (
          <div className="r jobs-place-sum">
            <div className="w6">{formatAmount(amountText(totals.amount))}</div>
            <div className="t12 t3 nw">trade price</div>
          </div>
        )}
        {nothingLeft ? (
          <LinkButton href={hrefs.job(row.id, "procurements")}>See the procurements</LinkButton>
        ) : (
          <>
            <Button
              disabled={count === 0}
              onClick={() => setPreviewing(true)}
              title={count === 0 ? NOTHING_CHOSEN : "The request, before it is sent"}
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
            <Origin of="extension" />
          </>
        )}
      </div>
      <Dialog opened={previewing} onClose={() => setPreviewing(false)} title="What will be sent" size={640}>
        <Preview name={name} onBack={() => setPreviewing(false)} onSend={send}>
          <RequestPreview
            operation="repairer.procurements.place"
            body={{ job_identity: { id: row.id }, sellable_ids: totals.sellableIds }}
            credential={credential}
          />
        </Preview>
      </Dialog>
    </div>
  );
};
