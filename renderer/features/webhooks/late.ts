/** Pages and forms that are loaded on demand, as one file: in several, what they share would be loaded by every place. */
// biome-ignore lint/performance/noBarrelFile: only fetched late
export { ReceiverPage } from "./receivers/receiver-page.tsx";
export { SubscribeForm } from "./subscribe-form.tsx";
