import { expect, test } from "vitest";
import { placeLinks } from "./explorer.ts";

test("names a place's own code and styles, and what both need, by the beginning of its address", () => {
  const links = placeLinks({
    "index.html": { file: "assets/index-1.js", imports: ["_shared.js"] },
    "_shared.js": { file: "assets/shared-1.js" },
    "features/jobs/place.tsx": { file: "assets/jobs-1.js", imports: ["_shared.js"], css: ["assets/jobs-1.css"] },
    "features/overview/place.tsx": { file: "assets/overview-1.js" },
  });
  expect(Object.fromEntries(links)).toEqual({
    jobs: "</assets/jobs-1.js>; rel=modulepreload, </assets/shared-1.js>; rel=modulepreload, </assets/jobs-1.css>; rel=preload; as=style",
    "": "</assets/overview-1.js>; rel=modulepreload",
  });
});
