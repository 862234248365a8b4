/** Content of the gallery; fixed, so that screenshots can be compared. */
export const jobId = "ad2daf65-00d4-4be7-aaa0-6f1b0c719340";

export const procurement = {
  status: "order_confirmed",
  deliver_before: "2026-03-17T04:00:00.000Z",
  total_shipping_price: { type: "absolute", value: "65.00" },
  currency_code: "NZD",
  quantity: 2,
  note: null,
  images: [],
  live: true,
};
export const before = {
  status: "order_requested",
  currency_code: "NZD",
  deliver_before: null,
  offered_items: [{ id: "a", trade_price: null }],
  note: "call first",
};
export const after = {
  status: "order_confirmed",
  currency_code: "NZD",
  deliver_before: "2026-03-17T04:00:00.000Z",
  offered_items: [
    { id: "a", trade_price: "318.50" },
    { id: "b", trade_price: "42.20" },
  ],
};

export const envelope =
  '{"message_id":"194a000c-d6ca-4d95-a6ab-2b301f5a49c0","event_type":"repairer.jobs","note":"plaque d’immatriculation"}';

export const headers = [
  ["Authorization", "Bearer isk_0d4be7aaa06f1b0c71934000d491bc"],
  ["Service-Integration-ID", "00fa4af2-0bab-43bb-9912-6745d2f34fd7"],
  ["Content-Type", "application/json"],
] as const;

const stages = ["order_requested", "order_confirmed", "cancelled"] as const;
const plates = ["NKR482", "1XQ7KD", "LK21VBO", "QHT617"] as const;

/** Enough rows to show virtual scrolling. */
export const sampleJobs = Array.from({ length: 100_000 }, (_, index) => ({
  id: `job-${index}`,
  number: `J-${120_418 - index}`,
  plate: plates[index % 4] ?? "",
  state: index % 4 === 1 ? "VIC" : null,
  where: index % 3 === 0 ? "Penrose, Longreach Mutual" : "Moorabbin, Ardent General",
  stage: stages[index % 3] ?? "cancelled",
}));
export type SampleJob = (typeof sampleJobs)[number];
