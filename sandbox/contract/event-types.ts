interface EventDescription {
  /** The side whose integrations receive the event (D70). */
  readonly side: "repairer" | "supplier";
  readonly payload: "job" | "procurement";
  readonly decisions: readonly string[];
  readonly sentence: string;
}

/** Contract, "Event types and payloads": every event type and its properties. */
export const events = {
  "repairer.jobs": {
    side: "repairer",
    payload: "job",
    decisions: ["D70", "D72", "D73", "D75"],
    sentence: "Notifies the repairer that a job was inserted, updated or deleted.",
  },
  "repairer.procurements": {
    side: "repairer",
    payload: "procurement",
    decisions: ["D70", "D72", "D73", "D74"],
    sentence: "Notifies the repairer that one of its orders changed status.",
  },
  "supplier.procurements": {
    side: "supplier",
    payload: "procurement",
    decisions: ["D70", "D72", "D73", "D74"],
    sentence: "Notifies the supplier that one of its orders changed status.",
  },
} as const satisfies Readonly<Record<string, EventDescription>>;

export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]];
