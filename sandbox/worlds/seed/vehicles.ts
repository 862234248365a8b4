import { Dice } from "../../rules/baskets/dice.ts";

/** Vehicles of makes that do not exist: what the platform calls them and how their chassis numbers start. */
interface Model {
  readonly variant: string;
  /** The first characters of its 17; null for Japanese domestic models, which carry a frame number instead. */
  readonly vin: string | null;
  /** The frame model code of a Japanese domestic model. */
  readonly frame?: string;
  /** The brand, as part catalogues shorten it. */
  readonly brand: string;
}

export const models = {
  strand: { variant: "Corvane Strand 2.5 AWD wagon", vin: "7A8DK0S1", brand: "CVNE" },
  strandHybrid: { variant: "Corvane Strand 2.0 hybrid wagon", vin: "7A8DK2H4", brand: "CVNE" },
  merrow: { variant: "Corvane Merrow 1.6 hatch", vin: "7A8BM6F2", brand: "CVNE" },
  outlier: { variant: "Halden Outlier 3.0 TD 4WD utility", vin: "6HLUT30D", brand: "HLDN" },
  outlierCab: { variant: "Halden Outlier 2.8 TD double cab", vin: "6HLUT28X", brand: "HLDN" },
  tarrant: { variant: "Halden Tarrant 3.6 sedan", vin: "6HLTS36A", brand: "HLDN" },
  lyra: { variant: "Brixley Lyra 1.2 three-door", vin: "SBXLY12C", brand: "BRXL" },
  lyraEv: { variant: "Brixley Lyra Electric 54 kWh", vin: "SBXLYE54", brand: "BRXL" },
  combe: { variant: "Brixley Combe 1.5 estate", vin: "SBXCM15E", brand: "BRXL" },
  vantor: { variant: "Brixley Vantor 2.0 TD panel van", vin: "SBXVT20P", brand: "BRXL" },
  kaede: { variant: "Tamaki Kaede 1.3 hybrid", vin: null, frame: "TKE51", brand: "TMKI" },
  sazan: { variant: "Tamaki Sazan 2.4 people mover", vin: null, frame: "TSZ30W", brand: "TMKI" },
  nori: { variant: "Tamaki Nori 660 van", vin: "JTMN66V0", brand: "TMKI" },
  astrel: { variant: "Astrel Q5 Electric long range", vin: "LASV5ELR", brand: "ASTL" },
  montis: { variant: "Montis Veld 2.2 TD SUV", vin: "WMTVD22S", brand: "MNTS" },
  montisSaloon: { variant: "Montis Ferro 2.0 saloon", vin: "WMTFR20S", brand: "MNTS" },
  montisCoupe: { variant: "Montis Arco 3.0 coupe", vin: "WMTAR30C", brand: "MNTS" },
} as const satisfies Record<string, Model>;
export type ModelKey = keyof typeof models;

/** The letters a chassis number may have: no I, O or Q. */
const LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ";

/** A chassis number the model could carry, always the same one for a job (D60): 17 characters, or a frame number. */
export const chassisNumber = (key: ModelKey, job: string): string => {
  const model: Model = models[key];
  const dice = new Dice("chassis", job);
  if (model.vin === null) return `${model.frame ?? "TMK10"}-${dice.between(0, 1000, 9998)}${dice.between(1, 100, 998)}`;
  const year = LETTERS.charAt(dice.between(0, 0, LETTERS.length - 1));
  const plant = LETTERS.charAt(dice.between(1, 0, LETTERS.length - 1));
  const serial = String(dice.between(2, 100, 999)) + String(dice.between(3, 1000, 9999));
  return `${model.vin}${year}${plant}${serial}`;
};
