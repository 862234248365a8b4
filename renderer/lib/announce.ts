/** One polite live region for the whole window: "Copied", "12 new jobs". */
let region: HTMLElement | null = null;

/** Reads a sentence out to screen readers, without moving the focus. */
export const announce = (sentence: string): void => {
  if (!region) {
    region = document.createElement("div");
    region.setAttribute("role", "status");
    region.setAttribute("aria-live", "polite");
    region.className = "sr";
    // At the start of the body: at its end the region would make the page scroll.
    document.body.prepend(region);
  }
  // A repeated sentence is only spoken if the text changes in between.
  region.textContent = "";
  const target = region;
  requestAnimationFrame(() => {
    target.textContent = sentence;
  });
};
