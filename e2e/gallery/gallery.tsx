import { Group, Text } from "@mantine/core";
import { Mark } from "../../renderer/shell/rail.tsx";
import { Cell } from "./cell.tsx";
import { CodeCells } from "./code-cells.tsx";
import { ControlCells } from "./control-cells.tsx";
import "./gallery.css";
import { ListCells } from "./list-cells.tsx";
import { MeaningCells } from "./meaning-cells.tsx";
import { StateCells } from "./state-cells.tsx";

const ofHue = (hue: string) => [hue, `${hue}-text`, `${hue}-tint`];
const tokens = [
  ..."canvas surface sunken raised hover press line line-strong line-control text text-2 text-3".split(" "),
  ...[...ofHue("accent"), "mark"],
  ...["buyer", "supplier", "wait", "ok", "off", "bad"].flatMap(ofHue),
];

const Swatches = () => (
  <Cell title="Colour" span={12}>
    <div className="gallery-swatches">
      {tokens.map((token) => (
        <div key={token}>
          <i style={{ background: `var(--${token})` }} />
          {token}
        </div>
      ))}
    </div>
  </Cell>
);

/** Every component in every state, for review and visual tests. */
export const Gallery = () => (
  <main className="gallery">
    <Group className="gallery-head">
      <Mark />
      <h1>Components</h1>
      <Text c="dimmed">one of each, every state that matters</Text>
    </Group>
    <div className="gallery-grid">
      <Swatches />
      <ControlCells />
      <MeaningCells />
      <ListCells />
      <StateCells />
      <CodeCells />
    </div>
  </main>
);
