import * as Type from "typebox";
import type { Operation } from "../operation.ts";
import { Basket } from "../resources/basket.ts";
import { Business, WorkProvider } from "../resources/business.ts";
import { Job, JobIdentity, JobInsert, Part, PartInsert } from "../resources/job.ts";
import { BuyerProcurement, SupplierProcurement } from "../resources/procurement.ts";
import { Count, Items, Nullable, OneOf, OptionalNullable, Text, U16, Uuid } from "../schema.ts";
import { type Call, type PartnerCall, partnerCalls } from "./partner-calls.ts";

/** Declares a partner operation; `partnerCalls` supplies its surface and effect. */
const partnerOperation = <const Id extends PartnerCall, Req extends Type.TSchema, Res extends Type.TSchema>(
  operation: Omit<Operation<Req, Res>, keyof Call | "id" | "shapeError" | "decisions"> &
    Partial<Pick<Operation, "shapeError" | "decisions">> & { readonly id: Id },
): Operation<Req, Res> & { readonly id: Id } => ({
  shapeError: "bad_request",
  decisions: [],
  ...partnerCalls[operation.id],
  ...operation,
});

const ProcurementRef = Type.Object({ identity: Type.Object({ id: Uuid() }) });
const JobRef = Type.Object({ identity: JobIdentity });
const OfJob = Type.Object({ job_identity: JobIdentity });

export const integrationsInsert = partnerOperation({
  id: "integrations.insert",
  scope: "none",
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

export const businessesList = partnerOperation({
  id: "businesses.list",
  scope: "either",
  request: Type.Object({}),
  response: Items(Business),
  errors: ["unauthorized", "forbidden"],
  decisions: ["D24"],
});

export const workProvidersList = partnerOperation({
  id: "repairer.work-providers.list",
  scope: "repairer",
  request: Type.Object({}),
  response: Items(WorkProvider),
  errors: ["unauthorized", "forbidden"],
});

export const jobsGet = partnerOperation({
  id: "repairer.jobs.get",
  scope: "repairer",
  request: JobRef,
  response: Job,
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D25"],
});

export const jobsInsert = partnerOperation({
  id: "repairer.jobs.insert",
  scope: "repairer",
  request: JobInsert,
  response: Job,
  errors: ["unauthorized", "forbidden", "unprocessable", "work_provider_not_found"],
  shapeError: "unprocessable",
  decisions: ["D30", "D31", "D32", "D33", "D34", "D35", "D36", "D37", "D93"],
});

export const partsInsert = partnerOperation({
  id: "repairer.jobs.parts.insert",
  scope: "repairer",
  request: Type.Object({ job_identity: JobIdentity, parts: Type.Array(PartInsert, { maxItems: 500 }) }),
  response: Items(Part),
  errors: ["unauthorized", "forbidden", "not_found", "unprocessable"],
  errorForm: "bare",
  shapeError: "unprocessable",
  decisions: ["D38", "D39", "D40", "D41"],
});

export const partsList = partnerOperation({
  id: "repairer.jobs.parts.list",
  scope: "repairer",
  request: OfJob,
  response: Items(Part),
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D39", "D42"],
});

export const basketsLatestGet = partnerOperation({
  id: "repairer.jobs.baskets.latest.get",
  scope: "repairer",
  request: OfJob,
  response: Basket,
  errors: ["unauthorized", "forbidden", "not_found", "bad_request"],
  decisions: ["D43"],
});

export const repairerProcurementsGet = partnerOperation({
  id: "repairer.procurements.get",
  scope: "repairer",
  request: ProcurementRef,
  response: BuyerProcurement,
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D25"],
});

export const repairerProcurementsList = partnerOperation({
  id: "repairer.procurements.list",
  scope: "repairer",
  request: OfJob,
  response: Items(BuyerProcurement),
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D54"],
});

export const supplierProcurementsGet = partnerOperation({
  id: "supplier.procurements.get",
  scope: "supplier",
  request: ProcurementRef,
  response: SupplierProcurement,
  errors: ["unauthorized", "forbidden", "not_found"],
  decisions: ["D25", "D53"],
});

export const supplierProcurementsConfirm = partnerOperation({
  id: "supplier.procurements.confirm",
  scope: "supplier",
  request: ProcurementRef,
  response: SupplierProcurement,
  errors: ["unauthorized", "forbidden", "not_found"],
  decidedErrors: { unprocessable: ["D50", "D51"] },
  decisions: ["D25", "D50", "D51", "D52"],
});

export const procurementsPlace = partnerOperation({
  id: "repairer.procurements.place",
  scope: "repairer",
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

export const tier1Prepare = partnerOperation({
  id: "tier1.prepare",
  scope: "either",
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

export const uploadsPrepare = partnerOperation({
  id: "uploads.prepare",
  scope: "either",
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

export const procurementsCancel = partnerOperation({
  id: "procurements.cancel",
  scope: "either",
  request: ProcurementRef,
  response: Type.Union([BuyerProcurement, SupplierProcurement]),
  errors: ["unauthorized", "forbidden", "not_found", "unprocessable"],
  decisions: ["D25", "D74"],
});

export const jobsDelete = partnerOperation({
  id: "repairer.jobs.delete",
  scope: "repairer",
  request: JobRef,
  response: Type.Object({ id: Uuid("The job that was deleted") }),
  errors: ["unauthorized", "forbidden", "not_found", "unprocessable"],
  decisions: ["D25", "D75"],
});

const InvoiceLine = Type.Object({
  sellable_id: OptionalNullable(Uuid("The supplied item; if absent, the description is compared")),
  description: OptionalNullable(Text()),
  quantity: U16(),
  unit_price: Text("Decimal string in the order’s currency"),
});

const Difference = (what: string) =>
  Type.Object({
    line: Count("Index of the invoice line"),
    offered_item_id: Uuid(),
    ordered: Type.Union([Text(), U16()], { description: `The ordered ${what}` }),
    invoiced: Type.Union([Text(), U16()], { description: `The invoiced ${what}` }),
  });

export const invoicesReconcile = partnerOperation({
  id: "repairer.invoices.reconcile",
  scope: "repairer",
  request: Type.Object({
    identity: Type.Object({ id: Uuid("A confirmed order") }),
    lines: Type.Array(InvoiceLine, { maxItems: 1000 }),
  }),
  response: Type.Object({
    matched: Type.Array(Type.Object({ line: Count(), offered_item_id: Uuid() })),
    price_differences: Type.Array(Difference("price")),
    quantity_differences: Type.Array(Difference("quantity")),
    missing: Type.Array(Type.Object({ offered_item_id: Uuid(), description: Text(), quantity: U16() })),
    unexpected: Type.Array(Type.Object({ line: Count() })),
    ordered_total: Text(),
    invoiced_total: Text(),
  }),
  errors: ["unauthorized", "forbidden", "not_found", "unprocessable"],
  decisions: ["D25", "D55"],
});

/** Every operation that takes a partner's credentials. */
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
