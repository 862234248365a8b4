import { Cell } from "./cell.tsx";

const tokens = [
  "canvas",
  "surface",
  "sunken",
  "raised",
  "hover",
  "press",
  "line",
  "line-strong",
  "line-control",
  "text",
  "text-2",
  "text-3",
  "accent",
  "accent-text",
  "accent-tint",
  "mark",
  "buyer",
  "buyer-text",
  "buyer-tint",
  "supplier",
  "supplier-text",
  "supplier-tint",
  "wait",
  "wait-text",
  "wait-tint",
  "ok",
  "ok-text",
  "ok-tint",
  "off",
  "off-text",
  "off-tint",
  "bad",
  "bad-text",
  "bad-tint",
];

export const Swatches = () => (
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
