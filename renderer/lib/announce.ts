/** One polite live region for the whole window: "Copied", "12 new jobs". */
let region: HTMLElement | null = null;

/** Says a sentence to screen readers, without moving focus. */
export const announce = (sentence: string): void => {
  if (!region) {
    region = document.createElement("div");
    region.setAttribute("role", "status");
    region.setAttribute("aria-live", "polite");
    region.className = "sr";
    // First, where it has no height to add to: at the end it would make the page scroll.
    document.body.prepend(region);
  }
  // The same sentence twice is only spoken when the text changes in between.
  region.textContent = "";
  const target = region;
  requestAnimationFrame(() => {
    target.textContent = sentence;
  });
};
