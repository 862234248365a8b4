/** Stops a search: nobody steps through more matches. */
export const MAX_MATCHES = 1_000;

/** Text for screen readers only, and elements that draw nothing. */
const NOT_SEARCHED = ".sr, script, style, [inert], [data-unsearched]";

const isBlock = (element: Element): boolean => !/^(inline|contents)/.test(getComputedStyle(element).display);

/** An element without a box (`display: contents`) can hold visible ones. */
const isShown = (element: Element): boolean =>
  element.checkVisibility() || getComputedStyle(element).display === "contents";

/** Returns the nearest block around a text; its end ends a line. */
const blockAround = (from: Element | null, known: Map<Element, Element | null>): Element | null => {
  if (from === null) return null;
  const before = known.get(from);
  if (before !== undefined) return before;
  const block = isBlock(from) ? from : blockAround(from.parentElement, known);
  known.set(from, block);
  return block;
};

/** Returns the visible texts in order, each with its offset in all of them joined; each block is a line. */
const textsIn = (root: Element): { readonly joined: string; readonly texts: readonly (readonly [number, Text])[] } => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
    if (!(node instanceof Element)) return NodeFilter.FILTER_REJECT;
    return node.matches(NOT_SEARCHED) || !isShown(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  const blocks = new Map<Element, Element | null>();
  const texts: (readonly [number, Text])[] = [];
  let joined = "";
  let last: Element | null = null;
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    const block = blockAround(node.parentElement, blocks);
    if (block !== last) joined += "\n";
    last = block;
    texts.push([joined.length, node]);
    joined += node.data;
  }
  return { joined, texts };
};

/** Escapes a text as a pattern that matches it literally. */
const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/**
 * Returns the ranges of a text in the drawn content of an element, in order, at most {@link MAX_MATCHES}. Ignores case,
 * and matches across inline elements.
 */
export const textRanges = (root: Element, wanted: string): Range[] => {
  if (wanted === "") return [];
  const { joined, texts } = textsIn(root);
  const ranges: Range[] = [];
  let at = 0;
  const place = (offset: number, isEnd: boolean): readonly [Text, number] | null => {
    // At a boundary of two texts, a range starts in the second and ends in the first.
    for (; at < texts.length; at += 1) {
      const [start, node] = texts[at] ?? [0, new Text()];
      const reach = start + node.data.length;
      if (isEnd ? offset <= reach : offset < reach) return [node, offset - start];
    }
    return null;
  };
  for (const { 0: found, index } of joined.matchAll(new RegExp(literally(wanted), "giu"))) {
    const [start, end] = [place(index, false), place(index + found.length, true)];
    if (start === null || end === null || ranges.length === MAX_MATCHES) break;
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(...end);
    ranges.push(range);
  }
  return ranges;
};
