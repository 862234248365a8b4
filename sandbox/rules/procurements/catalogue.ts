import { Dice } from "./dice.ts";

export const partCategories = [
  "panel",
  "lamp",
  "glass",
  "mechanical",
  "cooling",
  "wear",
  "trim",
  "electronic",
  "consumable",
] as const;
export type PartCategory = (typeof partCategories)[number];

export interface CatalogueEntry {
  /** "GHCA" and six digits; null for goods without a global identifier, such as fasteners and tyres. */
  readonly ghca_id: string | null;
  readonly description: string;
  readonly category: PartCategory;
  /** New price in New Zealand cents, from which other currencies are derived. */
  readonly base_price: number;
}

type Row = readonly [ghca: number | null, description: string, base_price: number];

// biome-ignore format: a table, a few parts a line
const rows: Readonly<Record<PartCategory, readonly Row[]>> = {
  panel: [
    [4417, "Front bumper cover", 61240], [4418, "Rear bumper cover", 57430], [4431, "Front bumper reinforcement", 34890],
    [4432, "Rear bumper reinforcement", 33125], [4440, "Front bumper absorber", 11860], [4441, "Rear bumper absorber", 10975],
    [931, "Bonnet", 88475], [935, "Bonnet hinge, left", 7420], [936, "Bonnet hinge, right", 7420],
    [943, "Guard, front left", 40210], [944, "Guard, front right", 40210], [951, "Door shell, front left", 96340],
    [952, "Door shell, front right", 96340], [953, "Door shell, rear left", 91280], [954, "Door shell, rear right", 91280],
    [961, "Door skin, front left", 32560], [962, "Door skin, front right", 32560], [971, "Quarter panel, left", 78915],
    [972, "Quarter panel, right", 78915], [975, "Sill panel, left", 41730], [976, "Sill panel, right", 41730],
    [981, "Tailgate shell", 124000], [983, "Boot lid", 86250], [986, "Rear panel", 39470], [988, "Boot floor", 56380],
    [990, "Radiator support", 47665], [992, "Roof skin", 102340], [994, "A-pillar outer, left", 36815],
    [995, "Chassis rail, front right", 68240], [997, "Inner guard, front right", 44290],
  ],
  lamp: [
    [12259, "Headlamp, left, LED", 148600], [12260, "Headlamp, right, LED", 148600], [12263, "Headlamp, left, halogen", 52375],
    [12264, "Headlamp, right, halogen", 52375], [12271, "Tail lamp, left", 31850], [12272, "Tail lamp, right", 31850],
    [12275, "Tail lamp, boot lid, left", 24640], [12281, "Fog lamp, front left", 16890], [12282, "Fog lamp, front right", 16890],
    [12290, "High-mount stop lamp", 12730], [12294, "Daytime running lamp, right", 28415], [12297, "Number plate lamp", 4265],
  ],
  glass: [
    [15102, "Windscreen", 73560], [15104, "Windscreen, acoustic, with camera bracket", 126890], [15110, "Tailgate glass, heated", 58745],
    [15121, "Door glass, front left", 28630], [15122, "Door glass, front right", 28630], [15124, "Door glass, rear right", 26215],
    [15131, "Quarter glass, left", 19880], [15140, "Sunroof glass", 88310],
  ],
  mechanical: [
    [18003, "Alternator", 78640], [18005, "Starter motor", 54215], [18008, "Compressor, air conditioning", 94370],
    [18012, "Lower control arm, front left", 31290], [18013, "Lower control arm, front right", 31290],
    [18017, "Strut, front left", 38860], [18018, "Strut, front right", 38860], [18021, "Shock absorber, rear", 21475],
    [18024, "Tie rod end, right", 8940], [18026, "Steering rack", 168520], [18029, "Wheel hub, front right", 27635],
    [18031, "Drive shaft, front right", 62180], [18034, "Engine mount", 18945], [18037, "Subframe, front", 142760],
    [18040, "Wiper motor, front", 24180], [18042, "Exhaust muffler, rear", 46325],
  ],
  cooling: [
    [21801, "Radiator", 62450], [21805, "Condenser, air conditioning", 53800], [21808, "Cooling fan assembly", 71380],
    [21811, "Intercooler", 82940], [21814, "Radiator hose, upper", 7615], [21815, "Radiator hose, lower", 8120],
    [21818, "Coolant expansion tank", 9870], [21821, "Transmission cooler", 38265], [21824, "Fan shroud", 21590],
  ],
  wear: [
    [24101, "Brake disc, front", 18740], [24102, "Brake disc, rear", 15985], [24105, "Brake pad set, front", 13260],
    [24106, "Brake pad set, rear", 11840], [24110, "Drive belt", 6435], [24114, "Wiper blade set", 5980],
    [null, "Tyre 205/60 R16", 24650], [null, "Tyre 225/55 R19", 38900], [null, "Tyre 235/45 R18", 34275], [null, "Tyre 265/60 R18", 42180],
  ],
  trim: [
    [3371, "Guard liner, front left", 13640], [3372, "Guard liner, front right", 13640], [3375, "Grille assembly", 29485],
    [3378, "Lower grille", 11320], [3381, "Wheel arch moulding, front left", 9855], [3382, "Wheel arch moulding, rear right", 10240],
    [3386, "Door moulding, front left", 8470], [3390, "Door mirror, left, heated", 46890], [3391, "Door mirror, right, heated", 46890],
    [3394, "Mirror cover, left", 9215], [3397, "Door handle, front left", 12460], [3401, "Undertray, engine", 18735],
    [3404, "Tailgate badge", 4220], [3407, "Windscreen moulding", 7345], [3410, "Roof rail, left", 26180],
    [3413, "Alloy wheel 19 inch", 68950], [3416, "Tow hook cover, front", 2985], [3419, "Dashboard pad", 142350],
  ],
  electronic: [
    [27002, "Airbag module, driver", 128460], [27003, "Airbag module, passenger", 156830], [27006, "Curtain airbag, left", 94215],
    [27009, "Airbag control unit", 86370], [27012, "Seat belt pretensioner, front right", 58640], [27015, "Parking sensor", 14285],
    [27018, "Radar sensor, front", 118920], [27021, "Camera, windscreen", 134560], [27024, "Reversing camera", 52875],
    [27027, "Blind spot sensor, rear left", 78340], [27030, "Horn", 8615], [27033, "Wiring loom, front bumper", 31740],
  ],
  consumable: [
    [null, "Retaining clip set", 215], [null, "Bumper fixing kit", 4860], [null, "Windscreen adhesive kit", 6240],
    [null, "Seam sealer, cartridge", 2890], [null, "Cavity wax, aerosol", 3150], [null, "Coolant, 5 litres", 5435],
    [null, "Refrigerant charge", 9600], [null, "Trim screw set", 1875], [null, "Panel bonding adhesive", 7980], [null, "Badge adhesive pads", 690],
  ],
};

export const catalogue: readonly CatalogueEntry[] = partCategories.flatMap((category) =>
  rows[category].map(([ghca, description, base_price]) => ({
    ghca_id: ghca === null ? null : `GHCA${String(ghca).padStart(6, "0")}`,
    description,
    category,
    base_price,
  })),
);

const folded = (description: string): string => description.trim().replace(/\s+/gu, " ").toLowerCase();

const byDescription: ReadonlyMap<string, CatalogueEntry> = new Map(
  catalogue.map((entry) => [folded(entry.description), entry]),
);

/** Global part identifier for a description, ignoring case and spacing; null if the catalogue has none (D41). */
export const ghcaIdFor = (description: string): string | null =>
  byDescription.get(folded(description))?.ghca_id ?? null;

/** Category hints in unknown descriptions; the first match wins. */
const hints: readonly (readonly [RegExp, PartCategory])[] = [
  [/\b(clips?|screws?|bolts?|rivets?|sealer|adhesive|coolant|oil|kit)\b/, "consumable"],
  [/\b(sensor|camera|module|airbag|radar|wiring|loom|seat belt)\b/, "electronic"],
  [/\b(lamp|light|headlight|taillight|indicator)\b/, "lamp"],
  [/\b(glass|windscreen|windshield|window)\b/, "glass"],
  [/\b(tyres?|tires?|discs?|rotors?|pads?|belt|blades?)\b/, "wear"],
  [/\b(radiator|condenser|intercooler|hose|fan)\b/, "cooling"],
  [/\b(liner|moulding|molding|grille|mirror|handle|badge|cover strip|wheel|trim)\b/, "trim"],
  [/\b(bumper|bonnet|hood|guard|fender|wing|door|quarter|panel|tailgate|boot|roof|sill|pillar)\b/, "panel"],
  [/\b(motor|pump|arm|strut|shock|shaft|hub|mount|alternator|compressor|rack|muffler)\b/, "mechanical"],
];

/** Range of new prices by category, in New Zealand dollars. */
const priceRange: Readonly<Record<PartCategory, readonly [number, number]>> = {
  panel: [180, 1100],
  lamp: [90, 1300],
  glass: [160, 1100],
  mechanical: [90, 1400],
  cooling: [80, 820],
  wear: [60, 420],
  trim: [30, 480],
  electronic: [90, 1350],
  consumable: [3, 95],
};

/**
 * Catalogue entry of a description. Unknown descriptions get an entry derived from their words and letters, always the
 * same one, without a global identifier (D43).
 */
export const catalogueEntryFor = (description: string): CatalogueEntry => {
  const name = folded(description);
  const known = byDescription.get(name);
  if (known) return known;
  const dice = new Dice("description", name);
  const category = hints.find(([words]) => words.test(name))?.[1] ?? dice.pick(0, partCategories);
  const [from, to] = priceRange[category];
  return {
    ghca_id: null,
    description,
    category,
    base_price: dice.between(1, from, to) * 100 + dice.between(2, 0, 19) * 5,
  };
};
