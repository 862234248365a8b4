import * as Type from "typebox";
import { contractOperation, extensionOperation } from "../operation.ts";
import { Basket } from "../resources/basket.ts";
import { Business, WorkProvider } from "../resources/business.ts";
import { Job, JobIdentity, JobInsert, Part, PartInsert } from "../resources/job.ts";
import { BuyerProcurement, SupplierProcurement } from "../resources/procurement.ts";
import { Items, Nullable, OneOf, OptionalNullable, Text, U16, Uuid } from "../schema.ts";

const ProcurementRef = Type.Object({ identity: Type.Object({ id: Uuid() }) });
const JobRef = Type.Object({ identity: JobIdentity });
const OfJob = Type.Object({ job_identity: JobIdentity });

export const integrationsInsert = contractOperation({
  id: "integrations.insert",
  summary: "Completes an installation: exchanges an access code for an API key and an integration identifier.",
  scope: "none",
  effect: "write",
  request: Type.Object({
    access_code: Text("The short code from the authorization redirect"),
    client_id: Text("Identifies the integration; supplied out of band"),
    client_secret: Text("The secret provisioned with the client"),
  }),
  response: Type.Object({ api_key: Text(), integration_id: Uuid() }),
  errors: [
    "unauthorized",
    "forbidden",
    "integration_not_found",
    "o_auth_not_supported_by_integration",
    "invalid_client_secret",
    "invalid_access_code",
  ],
  decisions: ["D20", "D22", "D23"],
});

export const businessesList = contractOperation({
  id: "businesses.list",
  summary: "Lists the businesses of the caller's organization.",
  scope: "either",
  effect: "read",
  request: Type.Object({}),
  response: Items(Business),
  errors: ["unauthorized", "forbidden"],
  decisions: ["D24"],
});

export const workProvidersList = contractOperation({
  id: "repairer.work-providers.list",
  summary: "Lists the work providers (insurers) a job can be assigned to.",
  scope: "repairer",
  effect: "read",
  request: Type.Object({}),
  response: Items(WorkProvider),
  errors: ["unauthorized", "forbidden"],
});

export const jobsGet = contractOperation({
  id: "repairer.jobs.get",
  summary: "Fetches one job by its identifier or by the integration's own.",
  scope: "repairer",
  effect: "read",
  request: JobRef,
  response: Job,
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D25"],
});

export const jobsInsert = contractOperation({
  id: "repairer.jobs.insert",
  summary: "Inserts a new job, or updates or replaces an existing one.",
  scope: "repairer",
  effect: "write",
  request: JobInsert,
  response: Job,
  errors: ["unauthorized", "forbidden", "unprocessable", "work_provider_not_found"],
  shapeError: "unprocessable",
  decisions: ["D30", "D31", "D32", "D33", "D34", "D35", "D36", "D37"],
});

export const partsInsert = contractOperation({
  id: "repairer.jobs.parts.insert",
  summary: "Inserts or updates parts of a job, all of them or none, and lists the job's parts.",
  scope: "repairer",
  effect: "write",
  request: Type.Object({ job_identity: JobIdentity, parts: Type.Array(PartInsert, { maxItems: 500 }) }),
  response: Items(Part),
  errors: ["unauthorized", "forbidden", "not_found", "unprocessable"],
  errorForm: "bare",
  shapeError: "unprocessable",
  decisions: ["D38", "D39", "D40", "D41"],
});

export const partsList = contractOperation({
  id: "repairer.jobs.parts.list",
  summary: "Lists the parts of a job in the order they were inserted.",
  scope: "repairer",
  effect: "read",
  request: OfJob,
  response: Items(Part),
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D39", "D42"],
});

export const basketsLatestGet = contractOperation({
  id: "repairer.jobs.baskets.latest.get",
  summary: "Fetches the latest basket of supplier offers for a job.",
  scope: "repairer",
  effect: "read",
  request: OfJob,
  response: Basket,
  errors: ["unauthorized", "forbidden", "not_found", "bad_request"],
  decisions: ["D43"],
});

export const repairerProcurementsGet = contractOperation({
  id: "repairer.procurements.get",
  summary: "Fetches a procurement as its buyer sees it.",
  scope: "repairer",
  effect: "read",
  request: ProcurementRef,
  response: BuyerProcurement,
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D25"],
});

export const repairerProcurementsList = contractOperation({
  id: "repairer.procurements.list",
  summary: "Lists the procurements of a job, newest first.",
  scope: "repairer",
  effect: "read",
  request: OfJob,
  response: Items(BuyerProcurement),
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D54"],
});

export const supplierProcurementsGet = contractOperation({
  id: "supplier.procurements.get",
  summary: "Fetches a procurement as its supplier sees it.",
  scope: "supplier",
  effect: "read",
  request: ProcurementRef,
  response: SupplierProcurement,
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D25", "D53"],
});

export const supplierProcurementsConfirm = contractOperation({
  id: "supplier.procurements.confirm",
  summary: "Moves a requested procurement to order_confirmed and emits one event to each side.",
  scope: "supplier",
  effect: "write",
  request: ProcurementRef,
  response: SupplierProcurement,
  errors: ["unauthorized", "forbidden", "not_found"],
  decidedErrors: { unprocessable: ["D50", "D51"] },
  decisions: ["D25", "D50", "D51", "D52"],
});

export const procurementsPlace = extensionOperation({
  id: "repairer.procurements.place",
  summary: "Turns offers of a job's latest basket into one procurement a supplier, in order_requested.",
  scope: "repairer",
  effect: "write",
  request: Type.Object({
    job_identity: JobIdentity,
    sellable_ids: Type.Array(Uuid(), {
      minItems: 1,
      maxItems: 500,
      uniqueItems: true,
      description: "Offers of the latest basket",
    }),
  }),
  response: Items(BuyerProcurement),
  errors: ["unauthorized", "forbidden", "not_found", "unprocessable"],
  decisions: ["D42", "D43"],
});

export const tier1Prepare = contractOperation({
  id: "tier1.prepare",
  summary: "Queues vehicle identifiers for later use; those that are invalid are handed back with a reason.",
  scope: "either",
  effect: "write",
  request: Type.Object({
    identifiers: Type.Array(Type.Unknown({ description: "{chassis_number}, or {region, state, plate}" }), {
      maxItems: 1000,
    }),
  }),
  response: Type.Object({
    invalid_identifiers: Type.Array(
      Type.Object({ input: Type.Unknown({ description: "The raw input, unchanged" }), reason: Text() }),
    ),
  }),
  errors: ["unauthorized"],
  decisions: ["D24", "D60", "D61", "D62", "D63"],
});

export const uploadsPrepare = contractOperation({
  id: "uploads.prepare",
  summary: "Obtains a pre-signed address to upload job media to.",
  scope: "either",
  effect: "write",
  request: Type.Object({
    file_name: Text("File name with extension where applicable"),
    media_type: OneOf(["image"]),
    type: OneOf(["job_media"]),
  }),
  response: Type.Object({ upload_url: Text(), public_url: Nullable(Text()) }),
  errors: ["unauthorized", "forbidden", "unprocessable"],
  shapeError: "unprocessable",
  decisions: ["D24", "D64"],
});

export const procurementsCancel = extensionOperation({
  id: "procurements.cancel",
  summary: "Cancels a requested procurement, from either side; no event is emitted.",
  scope: "either",
  effect: "write",
  request: ProcurementRef,
  response: Type.Union([BuyerProcurement, SupplierProcurement]),
  errors: ["unauthorized", "forbidden", "not_found", "unprocessable"],
  decisions: ["D25", "D74"],
});

export const jobsDelete = extensionOperation({
  id: "repairer.jobs.delete",
  summary: "Deletes a job that has no live procurement, with its parts, and emits a deleted event.",
  scope: "repairer",
  effect: "write",
  request: JobRef,
  response: Type.Object({ id: Uuid("The job that was deleted") }),
  errors: ["unauthorized", "forbidden", "not_found", "unprocessable"],
  decisions: ["D25", "D75"],
});

const InvoiceLine = Type.Object({
  sellable_id: OptionalNullable(Uuid("What was supplied; where it is left out, the description is compared")),
  description: OptionalNullable(Text()),
  quantity: U16(),
  unit_price: Text("Decimal string in the procurement's currency"),
});

const Difference = (what: string) =>
  Type.Object({
    line: Type.Integer({ minimum: 0, description: "Place of the invoice line" }),
    offered_item_id: Uuid(),
    ordered: Type.Union([Text(), U16()], { description: `The ordered ${what}` }),
    invoiced: Type.Union([Text(), U16()], { description: `The invoiced ${what}` }),
  });

export const invoicesReconcile = extensionOperation({
  id: "repairer.invoices.reconcile",
  summary: "Compares the lines of an invoice with a confirmed procurement.",
  scope: "repairer",
  effect: "read",
  request: Type.Object({
    identity: Type.Object({ id: Uuid("A confirmed procurement") }),
    lines: Type.Array(InvoiceLine, { maxItems: 1000 }),
  }),
  response: Type.Object({
    matched: Type.Array(Type.Object({ line: Type.Integer({ minimum: 0 }), offered_item_id: Uuid() })),
    price_differences: Type.Array(Difference("price")),
    quantity_differences: Type.Array(Difference("quantity")),
    missing: Type.Array(Type.Object({ offered_item_id: Uuid(), description: Text(), quantity: U16() })),
    unexpected: Type.Array(Type.Object({ line: Type.Integer({ minimum: 0 }) })),
    ordered_total: Text(),
    invoiced_total: Text(),
  }),
  errors: ["unauthorized", "forbidden", "not_found", "unprocessable"],
  decisions: ["D25", "D55"],
});

/** Every operation that takes a partner's credentials and is served today, by its id. */
export const partnerOperations = [
  integrationsInsert,
  businessesList,
  workProvidersList,
  jobsGet,
  jobsInsert,
  partsInsert,
  partsList,
  basketsLatestGet,
  repairerProcurementsGet,
  repairerProcurementsList,
  supplierProcurementsGet,
  supplierProcurementsConfirm,
  tier1Prepare,
  uploadsPrepare,
  procurementsPlace,
  procurementsCancel,
  jobsDelete,
  invoicesReconcile,
] as const;
