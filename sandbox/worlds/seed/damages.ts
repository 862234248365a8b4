import type { MediaName } from "./seed-media.ts";

/** One line of an estimate: description, pieces (null: not stated) and what the estimator noted. */
export type Line = readonly [description: string, quantity?: number | null, note?: string];

/** What happened to the vehicles, as the parts their repair needs. */
// biome-ignore format: a table, one damage a paragraph
export const damages = {
  nothingYet: [],
  frontRight: [
    ["Front bumper cover", 1, "Colour match: Glacier Pearl"], ["Headlamp, right, LED", 1], ["Bonnet"], ["Guard, front right", 1],
    ["Condenser, air conditioning", 1, "Leaking at the lower tank"], ["Guard liner, front right"], ["Retaining clip set", 12], ["Tyre 225/55 R19", 2],
  ],
  frontHeavy: [
    ["Front bumper cover", 1], ["Front bumper reinforcement", 1], ["Grille assembly", 1], ["Headlamp, left, LED", 1], ["Headlamp, right, LED", 1],
    ["Bonnet", 1, "Hinges reusable"], ["Radiator support", 1], ["Radiator", 1], ["Condenser, air conditioning", 1], ["Cooling fan assembly", 1],
    ["Airbag module, driver", 1, "Deployed"], ["Airbag control unit", 1, "Crash data stored; replace"],
  ],
  frontLeft: [
    ["Front bumper cover", 1], ["Headlamp, left, halogen", 1], ["Guard, front left", 1], ["Guard liner, front left", 1], ["Retaining clip set", 8],
    ["Fog lamp, front left"],
  ],
  rear: [
    ["Tailgate shell", 1, "Inner frame creased"], ["Tail lamp, left", 2], ["Tailgate badge", 4], ["Rear bumper cover", 1], ["Parking sensor", 4],
    ["Rear bumper absorber"],
  ],
  rearHeavy: [
    ["Rear bumper cover", 1], ["Rear bumper reinforcement", 1], ["Boot lid", 1], ["Rear panel", 1], ["Boot floor", 1, "Section, do not replace whole"],
    ["Tail lamp, left", 1], ["Tail lamp, right", 1], ["Exhaust muffler, rear"], ["Reversing camera", 1], ["Seam sealer, cartridge", 2], ["Cavity wax, aerosol", 1],
  ],
  sideLeft: [
    ["Door shell, front left", 1], ["Door shell, rear left", 1], ["Sill panel, left", 1], ["Door moulding, front left"], ["Door mirror, left, heated", 1],
    ["Curtain airbag, left", 1, "Deployed"], ["Panel bonding adhesive", 2],
  ],
  sideRight: [
    ["Door skin, front right", 1], ["Door shell, rear right"], ["Quarter panel, right", 1, "Cut at the C-pillar seam"], ["Wheel arch moulding, rear right"],
    ["Door glass, rear right", 1],
  ],
  hail: [["Bonnet", 1], ["Roof skin", 1, "Over 120 dents; beyond paintless repair"], ["Windscreen moulding"], ["Roof rail, left", 1]],
  windscreen: [["Windscreen, acoustic, with camera bracket", 1, "Calibrate the camera after fitting"], ["Windscreen adhesive kit", 1], ["Wiper blade set"]],
  kerb: [
    ["Alloy wheel 19 inch", 1], ["Tyre 225/55 R19", 1], ["Lower control arm, front left", 1], ["Strut, front left", 1], ["Tie rod end, right", null],
    ["Wheel hub, front right", 1],
  ],
  brakes: [["Brake disc, front", 2], ["Brake pad set, front", 1], ["Brake disc, rear", 2], ["Brake pad set, rear", 1], ["Tyre 205/60 R16", 4]],
  scuff: [["Rear bumper cover", 1], ["Bumper fixing kit"]],
  mirror: [["Door mirror, right, heated", 1], ["Mirror cover, left"]],
  mechanical: [
    ["Alternator", 1, "Bracket broken in the impact"], ["Compressor, air conditioning"], ["Drive belt", 1], ["Radiator hose, upper"], ["Coolant, 5 litres", 2],
    ["Refrigerant charge", 1],
  ],
  sensors: [["Radar sensor, front", 1], ["Camera, windscreen", 1], ["Wiring loom, front bumper"], ["Front bumper cover", 1], ["Tow hook cover, front"]],
  strayWords: [
    ["Pare-chocs avant", 1, "As written by the customer"], ["bonnet", 1], ["  Guard,  front LEFT ", 1], ["Ute tray side board, aluminium"], ["Canopy strut (gas)", 2],
  ],
} as const satisfies Record<string, readonly Line[]>;
export type DamageKey = keyof typeof damages;

/** What a repairer photographs of a damage, the most telling first. */
export const damagePhotos: Readonly<Record<DamageKey, readonly MediaName[]>> = {
  nothingYet: ["front", "rear"],
  frontRight: ["front", "front-right-close", "headlamp-close", "odometer"],
  frontHeavy: ["front", "front-right-close", "engine-bay", "vin-plate", "odometer"],
  frontLeft: ["front", "left", "headlamp-close"],
  rear: ["rear", "rear-bumper-close", "vin-plate"],
  rearHeavy: ["rear", "rear-bumper-close", "right"],
  sideLeft: ["left", "door-close", "odometer"],
  sideRight: ["right", "door-close", "odometer"],
  hail: ["bonnet-hail"],
  windscreen: ["windscreen-chip", "odometer"],
  kerb: ["left"],
  brakes: ["odometer"],
  scuff: ["rear-bumper-close"],
  mirror: ["right"],
  mechanical: ["engine-bay", "odometer"],
  sensors: ["front", "headlamp-close"],
  strayWords: ["front"],
};
