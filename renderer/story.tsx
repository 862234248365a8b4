import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Story } from "../sandbox/contract/story.ts";
import { Player } from "./domain/story/player.tsx";
import "./story.css";

// The page of a shared story: its recording is embedded, and the page makes no requests.
const recorded = document.getElementById("recorded")?.textContent;
const root = document.getElementById("story");
if (recorded && root) {
  const story = JSON.parse(recorded) as Story;
  const when = new Date(story.at).toLocaleDateString("en-GB", { dateStyle: "long" });
  const where = `Recorded on ${when} with Integrations Explorer ${story.version}`;
  createRoot(root).render(
    <StrictMode>
      <main>
        <Player story={story} where={where} />
      </main>
    </StrictMode>,
  );
}
