import { createSpotlight } from "@mantine/spotlight";

/** Whether the search is open, and which of its rows is selected. */
export const [searchStore, searching] = createSpotlight();
