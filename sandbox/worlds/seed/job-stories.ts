import type { DamageKey } from "./damages.ts";
import type { InsurerKey, SiteKey } from "./parties.ts";
import type { ModelKey } from "./vehicles.ts";

/** One job as a row of the story. What is left out is not known. */
export interface JobStory {
  /** Its number, and the name its identifier is derived from. */
  readonly number: string;
  /** The number is not passed on: the integration did not send one. */
  readonly unnumbered?: true;
  readonly site: SiteKey;
  /** How long before the world's creation it arrived. */
  readonly hoursAgo: number;
  readonly model?: ModelKey;
  readonly chassis?: string | null;
  readonly plate?: string;
  readonly state?: string;
  readonly insurer?: InsurerKey;
  readonly claim?: string;
  /** The estimate number the integration knows it by. */
  readonly estimate?: number;
  readonly damage: DamageKey;
  /** How many of the pictures that go with its damage it has. */
  readonly photos?: number;
}

/** Six weeks of work, oldest first, denser towards the present. */
// biome-ignore format: a table, one job a line
export const jobStories: readonly JobStory[] = [
  { number: "J-20331", site: "penrose", hoursAgo: 1003, model: "merrow", plate: "KDA116", insurer: "longreach", claim: "LRM-7718206", estimate: 87904, damage: "frontLeft", photos: 2 },
  { number: "J-20334", site: "croydon", hoursAgo: 951, model: "combe", plate: "YP19KRN", insurer: "cobb", claim: "CV 5510 2284", damage: "rear", photos: 2 },
  { number: "J-20338", site: "moorabbin", hoursAgo: 887, model: "outlier", plate: "1WD4LS", state: "VIC", insurer: "ardent", claim: "AG/118203/V", estimate: 87951, damage: "hail", photos: 1 },
  { number: "J-20341", site: "penrose", hoursAgo: 842, model: "kaede", plate: "LWH35", damage: "brakes" },
  { number: "J-20345", site: "penrose", hoursAgo: 790, model: "montis", plate: "MCE771", insurer: "pembry", claim: "PEM00417733", estimate: 87982, damage: "sideLeft", photos: 3 },
  { number: "J-20349", site: "croydon", hoursAgo: 731, model: "vantor", plate: "BD68XUT", insurer: "cobb", claim: "CV 5510 7719", estimate: 87990, damage: "kerb" },
  { number: "J-20352", site: "moorabbin", hoursAgo: 668, model: "tarrant", plate: "2BN4TR", state: "VIC", insurer: "ardent", claim: "AG/118377/V", damage: "rearHeavy", photos: 3 },
  { number: "J-20356", site: "penrose", hoursAgo: 611, model: "sazan", plate: "GKB904", insurer: "longreach", claim: "LRM-7721940", estimate: 88021, damage: "windscreen", photos: 1 },
  { number: "J-20359", site: "croydon", hoursAgo: 560, model: "lyra", plate: "EK15ZHV", insurer: "pembry", damage: "mirror" },
  { number: "J-20362", site: "penrose", hoursAgo: 507, model: "strand", plate: "MBE209", insurer: "longreach", claim: "LRM-7723318", estimate: 88047, damage: "frontHeavy", photos: 5 },
  { number: "J-20365", site: "moorabbin", hoursAgo: 466, model: "outlierCab", chassis: null, plate: "DKJ41R", state: "NSW", insurer: "ardent", claim: "AG/118502/N", damage: "strayWords" },
  { number: "J-20367", site: "penrose", hoursAgo: 431, model: "strandHybrid", plate: "PRT884", insurer: "longreach", claim: "LRM-7724407", estimate: 88066, damage: "sensors", photos: 1 },
  { number: "J-20369", site: "croydon", hoursAgo: 398, unnumbered: true, model: "montis", plate: "LR20GSO", insurer: "cobb", claim: "CV 5511 0432", estimate: 88070, damage: "sideRight", photos: 2 },
  { number: "J-20371", site: "penrose", hoursAgo: 359, model: "nori", plate: "HZL741", damage: "scuff" },
  { number: "J-20374", site: "moorabbin", hoursAgo: 322, model: "astrel", plate: "1XQ7KD", state: "VIC", insurer: "ardent", claim: "AG/118644/V", estimate: 88092, damage: "frontRight", photos: 3 },
  { number: "J-20376", site: "penrose", hoursAgo: 290, model: "merrow", plate: "NBU270", insurer: "pembry", claim: "PEM00418211", damage: "rear", photos: 1 },
  { number: "J-20378", site: "croydon", hoursAgo: 262, model: "lyraEv", plate: "WN71CDF", insurer: "cobb", claim: "CV 5511 3308", estimate: 88110, damage: "frontLeft", photos: 2 },
  { number: "J-20380", site: "penrose", hoursAgo: 231, model: "strand", plate: "QHT617", insurer: "longreach", claim: "LRM-7726055", estimate: 88119, damage: "mechanical", photos: 1 },
  { number: "J-20381", site: "moorabbin", hoursAgo: 214, model: "outlier", plate: "S417BRK", state: "SA", damage: "kerb" },
  { number: "J-20383", site: "penrose", hoursAgo: 190, insurer: "longreach", claim: "LRM-7726480", estimate: 88128, damage: "scuff" },
  { number: "J-20385", site: "croydon", hoursAgo: 171, model: "combe", plate: "GX70FUE", insurer: "pembry", claim: "PEM00418390", damage: "sideLeft", photos: 2 },
  { number: "J-20387", site: "penrose", hoursAgo: 152, model: "montisSaloon", plate: "NFA583", insurer: "ardent", claim: "AG/118751/Z", estimate: 88141, damage: "rearHeavy", photos: 2 },
  { number: "J-20388", site: "penrose", hoursAgo: 140, model: "kaede", plate: "HRN40", insurer: "longreach", claim: "LRM-7727162", estimate: 88146, damage: "windscreen", photos: 2 },
  { number: "J-20390", site: "moorabbin", hoursAgo: 121, model: "tarrant", plate: "1ZK9PA", state: "VIC", insurer: "ardent", claim: "AG/118790/V", estimate: 88152, damage: "sideRight", photos: 1 },
  { number: "J-20391", site: "penrose", hoursAgo: 104, model: "sazan", plate: "FTY662", insurer: "pembry", claim: "PEM00418502", estimate: 88155, damage: "frontLeft", photos: 3 },
  { number: "J-20393", site: "croydon", hoursAgo: 92, model: "lyra", plate: "AV66LTX", damage: "brakes" },
  { number: "J-20395", site: "moorabbin", hoursAgo: 79, model: "outlierCab", plate: "YBK27M", state: "NSW", insurer: "ardent", claim: "AG/118834/N", estimate: 88161, damage: "frontHeavy", photos: 3 },
  { number: "J-20396", site: "croydon", hoursAgo: 70, model: "vantor", plate: "KM22RPO", insurer: "cobb", claim: "CV 5512 0098", estimate: 88164, damage: "rear", photos: 2 },
  { number: "J-20397", site: "penrose", hoursAgo: 61, model: "strand", plate: "QJC953", insurer: "longreach", claim: "LRM-7728834", estimate: 88167, damage: "rear", photos: 3 },
  { number: "J-20399", site: "moorabbin", hoursAgo: 50, unnumbered: true, model: "astrel", chassis: null, plate: "2CH6TV", state: "VIC", damage: "mirror" },
  { number: "J-20401", site: "penrose", hoursAgo: 43, model: "kaede", plate: "KTD316", insurer: "longreach", claim: "LRM-7729110", estimate: 88174, damage: "sideLeft", photos: 1 },
  { number: "J-20402", site: "moorabbin", hoursAgo: 31, model: "tarrant", plate: "1TM3EC", state: "VIC", insurer: "ardent", claim: "AG/118871/V", estimate: 88179, damage: "sensors", photos: 2 },
  { number: "J-20404", site: "penrose", hoursAgo: 25, model: "merrow", plate: "LWC508", insurer: "pembry", damage: "hail", photos: 1 },
  { number: "J-20408", site: "croydon", hoursAgo: 19, model: "combe", plate: "OE23JFK", insurer: "cobb", claim: "CV 5512 0177", estimate: 88190, damage: "sideRight", photos: 3 },
  { number: "J-20409", site: "penrose", hoursAgo: 9.5, model: "montis", insurer: "longreach", claim: "LRM-7730071", estimate: 88196, damage: "frontRight", photos: 2 },
  { number: "J-20411", site: "moorabbin", hoursAgo: 6.2, model: "tarrant", plate: "EHW90Q", state: "NSW", insurer: "ardent", claim: "AG/118902/N", estimate: 88201, damage: "rearHeavy", photos: 3 },
  { number: "J-20413", site: "penrose", hoursAgo: 3.4, model: "merrow", plate: "PMS142", insurer: "longreach", claim: "LRM-7730288", estimate: 88204, damage: "mechanical", photos: 2 },
  { number: "J-20415", site: "penrose", hoursAgo: 1.6, model: "kaede", plate: "JNE29", damage: "nothingYet" },
  { number: "J-20416", site: "croydon", hoursAgo: 0.9, model: "lyraEv", plate: "LK21VBO", insurer: "cobb", claim: "CV 5512 0203", estimate: 88209, damage: "frontLeft", photos: 3 },
  { number: "J-20417", site: "moorabbin", hoursAgo: 0.5, model: "outlier", plate: "1XU2GN", state: "VIC", insurer: "ardent", estimate: 88211, damage: "nothingYet", photos: 1 },
  { number: "J-20418", site: "penrose", hoursAgo: 0.2, model: "strand", chassis: "7A8DK0S1904128461", plate: "NKR482", insurer: "longreach", claim: "LRM-7730452", estimate: 88213, damage: "frontRight", photos: 4 },
  { number: "J-20419", site: "penrose", hoursAgo: 0.08, insurer: "pembry", damage: "nothingYet" },
  { number: "J-20420", site: "croydon", hoursAgo: 0.03, model: "montisCoupe", plate: "SB73WEL", estimate: 88216, damage: "nothingYet", photos: 1 },

  { number: "B-1183", site: "wairau", hoursAgo: 205, model: "merrow", plate: "LKP117", insurer: "longreach", claim: "LRM-7726211", estimate: 5021, damage: "rear", photos: 1 },
  { number: "B-1186", site: "wairau", hoursAgo: 66, model: "montis", plate: "NRD760", insurer: "ardent", claim: "AG/118829/Z", estimate: 5027, damage: "frontLeft", photos: 2 },
  { number: "B-1188", site: "wairau", hoursAgo: 4.4, model: "sazan", plate: "HBA334", damage: "nothingYet" },
];
