import { createSpotlight } from "@mantine/spotlight";

/** State of the search: open or closed, and its selected row. */
export const [searchStore, searching] = createSpotlight();
