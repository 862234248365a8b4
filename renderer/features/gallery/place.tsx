import { Mark } from "../../app/shell/rail.tsx";
import { usePageTitle } from "../../app/titles.ts";
import { CodeCells } from "./code-cells.tsx";
import { ControlCells } from "./control-cells.tsx";
import "./gallery.css";
import { ListCells } from "./list-cells.tsx";
import { MeaningCells } from "./meaning-cells.tsx";
import { StateCells } from "./state-cells.tsx";
import { Swatches } from "./swatches.tsx";

/** Every component in every state, for the eye and for visual tests; reachable at /gallery only. */
export const Place = () => {
  usePageTitle("Gallery");
  return (
    <div className="gallery scroll">
      <div className="row gallery-head">
        <Mark />
        <h1 className="t15">Components</h1>
        <span className="t3">one of each, every state that matters</span>
      </div>
      <div className="gallery-grid">
        <Swatches />
        <ControlCells />
        <MeaningCells />
        <ListCells />
        <StateCells />
        <CodeCells />
      </div>
    </div>
  );
};
