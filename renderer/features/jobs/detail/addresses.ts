import { hrefs } from "../../../app/places.ts";

/** The parts of a job with the form to add some open. */
export const addPartsHref = (jobId: string): string => `${hrefs.job(jobId, "parts")}?add`;

/** One exchange about a job, with what it set in motion. */
export const traceHref = (jobId: string, requestId: string): string =>
  `${hrefs.job(jobId, "trace")}?request=${encodeURIComponent(requestId)}`;
