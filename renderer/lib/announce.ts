/** One polite live region for the whole window: "Copied", "12 new jobs". */
let region: HTMLElement | null = null;

/** Says a sentence to screen readers, without moving focus. */
export const announce = (sentence: string): void => {
  if (!region) {
    region = document.createElement("div");
    region.setAttribute("role", "status");
    region.setAttribute("aria-live", "polite");
    region.className = "sr";
    document.body.append(region);
  }
  // The same sentence twice is only spoken when the text changes in between.
  region.textContent = "";
  const target = region;
  requestAnimationFrame(() => {
    target.textContent = sentence;
  });
};

/** Puts text on the clipboard and says so; false when the browser refuses. */
export const copyText = async (text: string, what: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}`);
    return true;
  } catch {
    announce(`Could not copy ${what}`);
    return false;
  }
};
