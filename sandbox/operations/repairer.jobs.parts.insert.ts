import { refuseFor } from "../contract/causes.ts";
import { Refusal } from "../contract/errors.ts";
import { partsInsert } from "../contract/operations/partner.ts";
import type { PartInsert } from "../contract/resources/job.ts";
import { plural } from "../contract/text.ts";
import { ghcaIdFor } from "../rules/procurements/catalogue.ts";
import type { PartRecord } from "../rules/records.ts";
import { type CallerContext, handler } from "./handler.ts";
import { findNamedJob, noteMisplaced } from "./test-values.ts";
import { aboutJob, changedParts, jobLabel, partView } from "./views.ts";

/** A new part (D40, D41). */
const newPart = (id: string, input: PartInsert): PartRecord => {
  const description = input.description ?? "";
  return {
    id,
    description,
    external_id: input.identity?.external_id ?? null,
    ghca_id: ghcaIdFor(description),
    note: input.note ?? null,
    quantity: input.quantity ?? null,
    status: "estimated",
  };
};

/** An updated part. Absent keys keep their values. */
const updatedPart = (part: PartRecord, input: PartInsert): PartRecord => {
  const description = input.description === undefined ? part.description : (input.description ?? "");
  return {
    ...part,
    description,
    ghca_id: description === part.description ? part.ghca_id : ghcaIdFor(description),
    note: input.note === undefined ? part.note : input.note,
    quantity: input.quantity === undefined ? part.quantity : input.quantity,
  };
};

const writePart = (
  context: CallerContext,
  jobId: string,
  input: PartInsert,
  index: number,
  known: Map<string, PartRecord>,
  byExternalId: Map<string | null, string>,
): Refusal | "inserted" | "updated" => {
  const { stores } = context;
  const externalId = input.identity?.external_id;
  // An external ID may be empty.
  const id = externalId === undefined ? input.identity?.id?.toLowerCase() : byExternalId.get(externalId);
  const existing = id === undefined ? undefined : known.get(id);
  if (existing) {
    const part = updatedPart(existing, input);
    stores.parts.update(part);
    known.set(part.id, part);
    return "updated";
  }
  // The part belongs to another job (D38).
  if (id !== undefined && stores.parts.findJobId(id) !== undefined)
    return refuseFor("part_of_other_job", [`/parts/${index}/identity`]);
  const part = newPart(id ?? context.newId(), input);
  stores.parts.insert(jobId, part);
  known.set(part.id, part);
  byExternalId.set(part.external_id, part.id);
  return "inserted";
};

/** Contract, "repairer.jobs.parts.insert": all parts of a call or none (D38 to D41). */
export const insertParts = handler(partsInsert, (context, input) => {
  const { stores } = context;
  const job = findNamedJob(context, input.job_identity, "/job_identity");
  if (job instanceof Refusal) return job;
  for (const { description, note, identity } of input.parts)
    noteMisplaced(context, [
      ["description", description],
      ["note", note],
      ["identity", identity?.external_id],
    ]);
  const before = stores.parts.listByJob(job.id);
  const known = new Map(before.map((part) => [part.id, part]));
  const byExternalId = new Map(before.map(({ id, external_id }) => [external_id, id]));
  let inserted = 0;
  for (const [index, part] of input.parts.entries()) {
    const written = writePart(context, job.id, part, index, known, byExternalId);
    if (written !== "inserted" && written !== "updated") return written;
    if (written === "inserted") inserted += 1;
  }
  const after = stores.parts.listByJob(job.id);
  if (input.parts.length > 0) {
    stores.jobs.touch(job.id, context.now);
    context.changed({
      entity: "parts",
      id: job.id,
      label: `parts of ${jobLabel(job)}`,
      change: before.length === 0 ? "inserted" : "updated",
      job_id: job.id,
      ...changedParts(before, after),
    });
  }
  const updated = input.parts.length - inserted;
  context.about({
    ...aboutJob(job),
    outcome:
      [inserted && `${plural(inserted, "part")} inserted`, updated && `${updated} updated`]
        .filter(Boolean)
        .join(", ") || "nothing changed",
  });
  return { items: after.map(partView) };
});
