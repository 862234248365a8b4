/** Forms that are loaded on demand, as one file: in several, what they share would be loaded by every place. */
// biome-ignore lint/performance/noBarrelFile: only fetched late
export { DeleteJobDialog, EditJobDialog, NewJobDialog } from "./form/job-dialogs.tsx";
export { AddParts } from "./parts/add-parts.tsx";
