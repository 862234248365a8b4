const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML and XML, in attributes and between tags. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (found) => entities[found] ?? found);
