import { createSpotlight } from "@mantine/spotlight";
import { giveFocusBack } from "../../lib/focus.ts";

/** State of the search: open or closed, and its selected row. */
export const [searchStore, searching] = createSpotlight();

let isOpen = searchStore.getState().opened;
let opener: Element | null = null;
// The library remembers what had the focus only after its field took it.
searchStore.subscribe(({ opened }) => {
  if (opened === isOpen) return;
  isOpen = opened;
  if (opened) opener = document.activeElement;
  // The field is removed in the meantime.
  else setTimeout(() => giveFocusBack(opener));
});
