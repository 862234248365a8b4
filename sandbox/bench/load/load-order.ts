/** What to send, to whom, how often. */
export interface LoadOrder {
  readonly port: number;
  /** Each has one request under way at a time. */
  readonly connections: number;
  /** As `requestText` made it. */
  readonly request: string;
  /** The numbers that requests carry: one after the other, or drawn at random below a bound. */
  readonly numbers: { readonly from: number } | { readonly below: number };
  /** The status of a success; any other ends the load with an error. */
  readonly status: number;
  /** Milliseconds before counting begins. */
  readonly warmupMs: number;
  /** Ends after so many milliseconds of counting, or after so many requests, whichever comes first. */
  readonly measureMs: number;
  readonly requests?: number;
}

export interface LoadResult {
  /** Requests answered in all, those of the warm-up too. */
  readonly answered: number;
  /** Answers a second while counting. */
  readonly perSecond: number;
  /** Milliseconds from sending to the whole answer. */
  readonly medianMs: number;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  /** How much of one processor the load itself took while counting, 0 to 1. */
  readonly processor: number;
}
