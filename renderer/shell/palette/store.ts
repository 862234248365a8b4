import { createSpotlight } from "@mantine/spotlight";
import { giveFocusBack } from "../../lib/focus.ts";

/** State of the search: open or closed, and its selected row. */
export const [searchStore, searching] = createSpotlight();

let isOpen = searchStore.getState().opened;
let opener: Element | null = null;
// The library reads the focused element only after its own field has taken the focus.
searchStore.subscribe(({ opened }) => {
  if (opened === isOpen) return;
  isOpen = opened;
  if (opened) opener = document.activeElement;
  // Waits until the search's field is removed.
  else setTimeout(() => giveFocusBack(opener));
});
