import { hrefs } from "../../../app/places.ts";

/** The parts of a job with the form to add some open. */
export const addPartsHref = (jobId: string): string => `${hrefs.job(jobId, "parts")}?add`;
