import { namedUuid } from "../../rules/procurements/dice.ts";

/** A picture available in every world: a file of the media folder, served at `/__media/<id>/<name>`. */
interface SeedMedia {
  readonly id: string;
  readonly name: string;
  readonly media_type: "image/webp";
  /** Name inside the media folder. */
  readonly file: string;
}

/** Pictures drawn for the sandbox. Their SVG sources are in the same folder. */
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

export const seedMedia: readonly SeedMedia[] = mediaNames.map((name) => ({
  id: namedUuid("media", name),
  name: `${name}.webp`,
  media_type: "image/webp",
  file: `${name}.webp`,
}));
