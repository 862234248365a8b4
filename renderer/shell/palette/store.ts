import { createSpotlight } from "@mantine/spotlight";

/** Whether the search is open, and the selected row. */
export const [searchStore, searching] = createSpotlight();
