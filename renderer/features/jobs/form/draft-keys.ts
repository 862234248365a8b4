/** Under what unsent jobs are kept: one new one in a world, and one change of each job. */
export const newDraftKey = (world: string): string => `new-job.${world}`;
export const editDraftKey = (world: string, jobId: string): string => `edit-job.${world}.${jobId}`;
