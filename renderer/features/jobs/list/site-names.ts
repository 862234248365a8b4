/** "Tarn & Rowe, Penrose" → "Penrose": beside the group's other sites the last words are enough. */
export const shortSite = (name: string): string => name.split(", ").at(-1) ?? name;
