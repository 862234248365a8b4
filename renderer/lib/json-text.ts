import { findNodeAtLocation, getLocation, type Node, parseTree } from "jsonc-parser";

/** A step is the name of a field, or the place of an item. */
export type Path = readonly (string | number)[];

const escaped = (step: string | number): string => String(step).replaceAll("~", "~0").replaceAll("/", "~1");

export const pointerOf = (path: Path): string => path.map((step) => `/${escaped(step)}`).join("");

const unescaped = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");
const stepsOf = (pointer: string): string[] => pointer.split("/").slice(1).map(unescaped);

const nodeAt = (root: Node, pointer: string): Node => {
  let node = root;
  for (const step of stepsOf(pointer)) {
    const next = findNodeAtLocation(node, [node.type === "array" ? Number(step) : step]);
    if (next === undefined) break;
    node = next;
  }
  return node;
};

interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Where in a text the field of a pointer stands, its name included; of a missing one what lacks it, at its begin. */
export const rangesIn = (text: string): ((pointer: string) => TextRange) => {
  const root = parseTree(text);
  return (pointer) => {
    if (root === undefined) return { from: 0, to: text.length };
    const node = nodeAt(root, pointer);
    const named = node.parent?.type === "property" ? node.parent : node;
    const isLong = node.type === "object" || node.type === "array";
    return { from: named.offset, to: isLong ? node.offset + 1 : node.offset + node.length };
  };
};

/** The pointer to what stands at a place of the text. */
export const pointerAt = (text: string, offset: number): string => pointerOf(getLocation(text, offset).path);
