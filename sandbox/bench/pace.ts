/** How long and how often things are measured. */
export interface Pace {
  /** Counted repetitions of a load; one more warms up. */
  readonly repetitions: number;
  /** Milliseconds of each load before counting, and while counting. */
  readonly warmupMs: number;
  readonly loadMs: number;
  /** Deliveries that are let wait before they are drained. */
  readonly backlog: number;
  /** Mutations before memory is looked at. */
  readonly mutations: number;
  /** The size of the large world; the small one has a thousand jobs. */
  readonly jobs: number;
  /** Worlds that lie idle. */
  readonly worlds: number;
  /** Jobs in the list that is scrolled in the explorer. */
  readonly explorerJobs: number;
  /** How long the explorer is left open while very much happens. */
  readonly explorerMinutes: number;
}

export const fullPace: Pace = {
  repetitions: 5,
  warmupMs: 300,
  loadMs: 1_500,
  backlog: 5_000,
  mutations: 100_000,
  jobs: 1_000_000,
  worlds: 10_000,
  explorerJobs: 100_000,
  explorerMinutes: 10,
};

/** For trying: enough to see that everything works, too little to say anything. */
export const quickPace: Pace = {
  repetitions: 2,
  warmupMs: 150,
  loadMs: 500,
  backlog: 1_000,
  mutations: 10_000,
  jobs: 50_000,
  worlds: 500,
  explorerJobs: 5_000,
  explorerMinutes: 0.5,
};
