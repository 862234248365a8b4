import { Flex, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { PartCondition } from "../../../../sandbox/contract/resources/condition.ts";
import type {
  Address,
  BuyerProcurement,
  ProcurementVehicle,
  ShippingPrice,
  SourceItem,
  SupplierProcurement,
} from "../../../../sandbox/contract/resources/procurement.ts";
import { procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { Id } from "../../../components/id.tsx";
import { TextLink } from "../../../components/link.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { Plate } from "../../../domain/job/plate.tsx";
import { conditionWithin, conditionWords } from "../../../domain/procurement/condition-words.ts";
import { Money } from "../../../domain/procurement/money.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { formatCount } from "../../../lib/formatting.ts";
import { useNow } from "../../../lib/world-clock.ts";

type Only<View, Other> = Readonly<Record<Exclude<keyof View, keyof Other>, true>>;
/** Fields of only one side's view; the types ensure that none is missing. */
export const oneSided: {
  readonly repairer: Only<BuyerProcurement, SupplierProcurement>;
  readonly supplier: Only<SupplierProcurement, BuyerProcurement>;
} = {
  repairer: { supplier_business: true, supplier_organization: true },
  supplier: { buyer_business: true, buyer_organization: true, buyer_shipping_address: true },
};

export const addressLine = (address: Address): string => {
  const { name, unit, street_number, street_name, suburb, city, state, postcode, country_code } = address;
  const joined = (...parts: readonly (string | null)[]) => parts.filter(Boolean).join(" ");
  return [name, unit, joined(street_number, street_name), suburb, joined(city, state, postcode), country_code]
    .filter(Boolean)
    .join(", ");
};

export const lastStep = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

type OfferedItem = BuyerProcurement["offered_items"][number];

const Requested = ({ item: { buyer_part } }: { item: SourceItem }) => (
  <>
    {buyer_part.description || <Text c="dimmed">no description</Text>}{" "}
    <Text c="secondary">{formatCount(buyer_part.quantity)} wanted</Text>{" "}
    {buyer_part.part_identity && (
      <Text variant="code" c="dimmed">
        {buyer_part.part_identity.mpn}
      </Text>
    )}
  </>
);

const Offered = ({ item: { supplied_offer: offer } }: { item: OfferedItem }) => (
  <>
    {offer.description}{" "}
    <Text c="secondary">
      {formatCount(offer.quantity)} ×{" "}
      {offer.trade_price === null ? (
        <Text variant="code" c="dimmed">
          null
        </Text>
      ) : (
        <Money amount={offer.trade_price} />
      )}
    </Text>{" "}
    <Text c="dimmed" title={conditionWords(offer.condition).meaning}>
      {conditionWithin(offer.condition)}
    </Text>
  </>
);

/** An item on one line: description and quantity, for an offered item also price and condition. */
export const ItemSummary = ({ value }: { value: unknown }) => {
  const item = value as SourceItem | OfferedItem;
  return (
    <Text component="div" truncate>
      {"buyer_part" in item ? <Requested item={item} /> : <Offered item={item} />}
    </Text>
  );
};

/** Context for drawing a value. */
export interface ValueContext {
  readonly jobNumber: string | null;
  readonly currency: string | null;
  /** Descriptions of the source items by ID. */
  readonly sourceNames: ReadonlyMap<string, string>;
}

const WEEK = 7 * 86_400_000;

/** After a week, the date says more than a relative time. */
const Moment = ({ at }: { at: string }) => {
  const near = Math.abs(useNow("world", 60_000) - new Date(at).getTime()) < WEEK;
  return (
    <Flex component="span" columnGap="xs" rowGap={0} align="stretch" wrap="wrap">
      <span>
        <Time at={at} as="day" /> <Time at={at} as="clock" />
      </span>
      {near && (
        <Text c="dimmed">
          <Time at={at} />
        </Text>
      )}
    </Flex>
  );
};

const Party = ({ id, name }: { id: string; name?: string }) =>
  name === undefined ? (
    <Id value={id} />
  ) : (
    <Flex component="span" columnGap="xs" rowGap={0} align="stretch" wrap="wrap" title={`${name}, ${id}`}>
      <Text truncate>{name}</Text>
      <Id value={id} />
    </Flex>
  );

const partyNames = new Set(["supplier_business", "supplier_organization", "buyer_business", "buyer_organization"]);

type Draw = (value: unknown, context: ValueContext) => ReactNode;

// These casts are safe: the service validated the responses against the same declarations.
const drawings: Readonly<Record<string, Draw>> = {
  status: (value) => {
    const status = procurementStatuses.find((one) => one === value);
    return status ? <State of={status} /> : String(value);
  },
  job_id: (value, { jobNumber }) => (
    <>
      <Id value={String(value)} what="job ID" />{" "}
      <Text textWrap="nowrap">
        <TextLink href={hrefs.job(String(value))}>{jobNumber ?? "open"}</TextLink>
      </Text>
    </>
  ),
  buyer_shipping_address: (value) => {
    const line = addressLine(value as Address);
    return <span title={line}>{line}</span>;
  },
  vehicle: (value) => {
    const { plate_number, variant, chassis_number } = value as ProcurementVehicle;
    return (
      <>
        <Plate plate={plate_number} /> {variant.description || <Text c="dimmed">no description</Text>}{" "}
        <Text variant="code" c="dimmed">
          {chassis_number ?? "null"}
        </Text>
      </>
    );
  },
  total_shipping_price: (value, { currency }) => {
    const { type, value: amount } = value as ShippingPrice;
    return (
      <>
        <Money amount={amount} currency={currency} /> <Text c="dimmed">{type}</Text>
      </>
    );
  },
  condition: (value) => {
    const condition = value as PartCondition;
    return (
      <>
        {conditionWithin(condition)}{" "}
        {condition.type === "used" && <Text c="dimmed">{conditionWords(condition).meaning}</Text>}
      </>
    );
  },
  part_identity: (value) => {
    const { gapc_brand_id, mpn } = value as { gapc_brand_id: string; mpn: string };
    return (
      <Text variant="code">
        {gapc_brand_id} {mpn}
      </Text>
    );
  },
  trade_price: (value, { currency }) => <Money amount={String(value)} currency={currency} />,
  fulfills_source_ids: (value, { sourceNames }) => {
    const ids = value as string[];
    if (ids.length === 0) return <Text c="dimmed">none</Text>;
    return ids.map((id, index) => (
      <span key={id}>
        {index > 0 && ", "}
        {sourceNames.get(id)} <Id value={id} what="source item ID" />
      </span>
    ));
  },
};

/** A field's value for reading; null is shown as null. */
export const FieldValue = ({
  path,
  value,
  context,
}: {
  path: string;
  value: unknown;
  context: ValueContext;
}): ReactNode => {
  const key = lastStep(path);
  if (value === null)
    return (
      <Text variant="code" c="dimmed">
        null
      </Text>
    );
  const draw = drawings[key];
  if (draw) return draw(value, context);
  if (partyNames.has(key)) return <Party {...(value as { id: string; name?: string })} />;
  if (typeof value === "string" && /_at$|_before$/.test(key)) return <Moment at={value} />;
  if (typeof value === "string" && (key === "id" || key.endsWith("_id")) && value.length === 36)
    return <Id value={value} what={key} />;
  if (typeof value === "number") return formatCount(value);
  return typeof value === "string" ? value : <Text variant="code">{JSON.stringify(value)}</Text>;
};
