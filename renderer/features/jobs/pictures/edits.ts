/** What becomes of a job's pictures: their addresses before and after. */
export type PictureEdit = (images: readonly string[]) => readonly string[];

/** Puts pictures behind those that are there; one that is there already stays where it is. */
export const adding =
  (urls: readonly string[]): PictureEdit =>
  (images) => [...images, ...urls.filter((url) => !images.includes(url))];

export const removing =
  (url: string): PictureEdit =>
  (images) =>
    images.filter((image) => image !== url);

export const puttingBack =
  (url: string, place: number): PictureEdit =>
  (images) =>
    images.includes(url) ? images : images.toSpliced(place, 0, url);
