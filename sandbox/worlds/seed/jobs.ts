import { Dice } from "../../rules/baskets/dice.ts";
import { namedUuid } from "../../rules/baskets/named-uuid.ts";
import { ghcaIdFor } from "../../rules/catalogue.ts";
import type { PartRecord } from "../../rules/records.ts";
import { damagePhotos, damages, type Line } from "./damages.ts";
import type { JobStory } from "./job-stories.ts";
import { businessId, organizationId, repairerOf } from "./parties.ts";
import { mediaPath } from "./seed-media.ts";
import type { SeedJob } from "./types.ts";
import { chassisNumber, models } from "./vehicles.ts";

const MINUTE = 60_000;

/** Hours of the story in milliseconds. */
export const hours = (count: number): number => Math.round(count * 60) * MINUTE;

/** The identifier of the job with this number. */
export const jobId = (number: string): string => namedUuid("job", number);

const partsOf = (story: JobStory): PartRecord[] => {
  const lines: readonly Line[] = damages[story.damage];
  return lines.map(
    ([description, quantity = null, note = null], index): PartRecord => ({
      id: namedUuid("part", story.number, String(index)),
      description,
      external_id: story.estimate !== undefined && story.estimate % 2 === 1 ? `${story.estimate}/${index + 1}` : null,
      ghca_id: ghcaIdFor(description),
      note,
      quantity,
      status: "estimated",
    }),
  );
};

/** Work on a job goes on for a while after it arrives; on a new one it has only begun. */
const lastTouched = (story: JobStory, created: number): number =>
  Math.min(
    created + new Dice("touched", story.number).between(0, 0, 95) * MINUTE,
    Math.floor(created / 3 / MINUTE) * MINUTE,
  );

/** A job of the story; its parts are not ordered yet. Times are relative to the world's creation. */
export const seedJob = (story: JobStory): SeedJob => {
  const { model, number } = story;
  const created_at = -Math.max(hours(story.hoursAgo), MINUTE);
  return {
    id: jobId(number),
    organization_id: organizationId(repairerOf(story.site)),
    repairer_site_id: businessId(story.site),
    external_id: story.estimate === undefined ? null : `estimate:${story.estimate}`,
    job_number: story.unnumbered ? null : number,
    claim_number: story.claim ?? null,
    vehicle: model
      ? {
          chassis_number: story.chassis === undefined ? chassisNumber(model, number) : story.chassis,
          plate_number: story.plate ?? null,
          plate_state: story.state ?? null,
        }
      : null,
    vehicle_variant: model ? models[model].variant : null,
    work_provider_id: story.insurer ? organizationId(story.insurer) : null,
    images: damagePhotos[story.damage].slice(0, story.photos ?? 0).map(mediaPath),
    created_at,
    updated_at: lastTouched(story, created_at),
    parts: partsOf(story),
  };
};
