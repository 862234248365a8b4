import { namedUuid } from "../../rules/procurements/dice.ts";

/** A picture every world can show: served under `/__media/<id>/<name>` from the file in the media folder beside this one. */
export interface SeedMedia {
  readonly id: string;
  readonly name: string;
  readonly media_type: "image/webp";
  /** Name inside the media folder. */
  readonly file: string;
}

/** The pictures, drawn for the sandbox; the drawing each was made from lies beside it as SVG. */
const mediaNames = [
  "front",
  "rear",
  "left",
  "right",
  "front-right-close",
  "door-close",
  "rear-bumper-close",
  "headlamp-close",
  "bonnet-hail",
  "windscreen-chip",
  "engine-bay",
  "odometer",
  "vin-plate",
];

/** Every seeded picture. */
export const seedMedia: readonly SeedMedia[] = mediaNames.map((name) => ({
  id: namedUuid("media", name),
  name: `${name}.webp`,
  media_type: "image/webp",
  file: `${name}.webp`,
}));
