import {
  arrayOf,
  byTag,
  exactly,
  nullable,
  number,
  oneOf,
  pattern,
  type Shape,
  text,
  timestamp,
  unsigned,
  url,
  uuid,
} from "./shape.ts";

/*
 * The contract's tables for tests, written from its text and not from the declarations, so that wrong declarations are
 * found. Every key of a table is present in a response; unknown values are null.
 */

/** D55: a decimal number with the digits of its currency. */
const amount = pattern("an amount of money", /^\d+(\.\d+)?$/);

const image = exactly({ public_url: url });

const vehicle = exactly({
  chassis_number: nullable(text),
  plate_number: nullable(text),
  plate_state: nullable(text),
});

export const job = exactly({
  id: uuid,
  images: arrayOf(image),
  repairer_site_id: uuid,
  claim_number: nullable(text),
  external_id: nullable(text),
  job_number: nullable(text),
  vehicle: nullable(vehicle),
  work_provider_id: nullable(uuid),
});

export const part = exactly({
  id: uuid,
  description: text,
  status: oneOf("estimated", "ordered"),
  external_id: nullable(text),
  ghca_id: nullable(pattern("GHCA and digits", /^GHCA\d+$/)),
  note: nullable(text),
});

export const business = exactly({
  type: oneOf("supplier", "repairer", "repairer_site", "insurer"),
  id: uuid,
  name: text,
});

export const workProvider = exactly({ business_name: text, organization_id: text });

const usedGrade = byTag("type", {
  panel: exactly({ type: text, payload: oneOf("grade0", "grade_a", "grade_b", "grade_c") }),
  distance_traveled: exactly({ type: text, payload: unsigned(32) }),
  operation_hours: exactly({ type: text, payload: unsigned(32) }),
  remaining_thickness: exactly({ type: text, payload: number }),
});

const partCondition = byTag("type", {
  new: exactly({ type: text, payload: exactly({}) }),
  used: exactly({ type: text, payload: usedGrade }),
});

export const basket = exactly({
  offers: arrayOf(
    exactly({
      condition: nullable(partCondition),
      job_part_ids: arrayOf(uuid),
      name: text,
      quantity: unsigned(16),
      sellable_id: uuid,
      supplier_business_id: text,
      trade_price: amount,
    }),
  ),
  suppliers: arrayOf(exactly({ business_id: text, name: text })),
});

const sourceItem = exactly({
  id: uuid,
  type: oneOf("buyer_requested"),
  buyer_part: exactly({
    description: text,
    job_part_id: nullable(uuid),
    part_identity: nullable(exactly({ gapc_brand_id: text, mpn: text })),
    quantity: unsigned(16),
  }),
});

const address = exactly({
  city: nullable(text),
  country_code: nullable(pattern("two capital letters", /^[A-Z]{2}$/)),
  name: nullable(text),
  postcode: nullable(text),
  state: nullable(text),
  street_name: nullable(text),
  street_number: nullable(text),
  suburb: nullable(text),
  unit: nullable(text),
});

const common = {
  status: text,
  id: uuid,
  job_id: uuid,
  created_at: timestamp,
  updated_at: timestamp,
  currency_code: nullable(pattern("three capital letters", /^[A-Z]{3}$/)),
  reference: nullable(text),
  source_items: arrayOf(sourceItem),
  total_shipping_price: nullable(exactly({ type: oneOf("derived", "absolute"), value: amount })),
  vehicle: exactly({
    chassis_number: nullable(text),
    plate_number: nullable(text),
    variant: exactly({ description: text }),
  }),
};

const offeredItems = (condition: Shape, inventory: Shape, trade_price: Shape): Shape =>
  arrayOf(
    exactly({
      id: uuid,
      fulfills_source_ids: arrayOf(uuid),
      supplied_offer: exactly({
        type: oneOf("single"),
        description: text,
        quantity: unsigned(16),
        condition,
        inventory,
        trade_price,
      }),
    }),
  );

const variants = (side: Readonly<Record<string, Shape>>, inventory: Shape): Shape => {
  const requested = exactly({
    ...common,
    ...side,
    deliver_before: nullable(timestamp),
    offered_items: offeredItems(nullable(partCondition), nullable(inventory), nullable(amount)),
  });
  const confirmed = exactly({
    ...common,
    ...side,
    deliver_before: timestamp,
    offered_items: offeredItems(partCondition, inventory, amount),
  });
  return byTag("status", { order_requested: requested, order_confirmed: confirmed, cancelled: requested });
};

export const buyerProcurement = variants(
  { supplier_business: exactly({ id: uuid, name: text }), supplier_organization: exactly({ id: uuid }) },
  exactly({ sellable_id: uuid }),
);

/** Offered items follow D53. */
export const supplierProcurement = variants(
  { buyer_business: exactly({ id: uuid }), buyer_organization: exactly({ id: uuid }), buyer_shipping_address: address },
  exactly({ sellable_id: uuid, warehouse_id: nullable(uuid) }),
);

export const installed = exactly({ api_key: text, integration_id: uuid });
export const preparedUpload = exactly({ upload_url: url, public_url: nullable(url) });
export const invalidIdentifiers = exactly({
  invalid_identifiers: arrayOf(exactly({ input: () => [], reason: text })),
});

export const items = (shape: Shape): Shape => exactly({ items: arrayOf(shape) });

export const envelope = exactly({
  message_id: uuid,
  event_timestamp: timestamp,
  webhook_timestamp: timestamp,
  event_type: oneOf("repairer.jobs", "repairer.procurements", "supplier.procurements"),
  type: oneOf("integration_notification"),
  version: oneOf("v1"),
  integration_id: uuid,
  payload: (value, at) =>
    [
      exactly({ job_id: uuid, change_action: oneOf("inserted", "updated", "deleted") }),
      exactly({ procurement_id: uuid, job_id: uuid, status: oneOf("order_requested", "order_confirmed") }),
    ].some((shape) => shape(value, at).length === 0)
      ? []
      : [`${at} must be the payload of a job or of a procurement event`],
});
