/** The script a page of the explorer starts with; its name changes with every build that differs. */
export const entryIn = (html: string): string | null =>
  /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/.exec(html)?.[1] ?? null;

/** Whether the service serves the build of the explorer that this page is; true when it cannot be told. */
export const servesThisBuild = async (): Promise<boolean> => {
  const here = document.querySelector("script[type=module][src]")?.getAttribute("src") ?? null;
  try {
    const answer = await fetch("/", { cache: "no-store", headers: { accept: "text/html" } });
    const there = answer.ok ? entryIn(await answer.text()) : null;
    return here === null || there === null || here === there;
  } catch {
    return true;
  }
};
