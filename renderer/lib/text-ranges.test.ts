// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from "vitest";
import { MAX_MATCHES, textRanges } from "./text-ranges.ts";

beforeEach(() => {
  Element.prototype.checkVisibility = function isShown(this: Element) {
    return !(this instanceof HTMLElement && (this.hidden || this.style.display === "contents"));
  };
});
afterEach(() => {
  document.body.innerHTML = "";
});

const found = (html: string, wanted: string): string[] => {
  document.body.innerHTML = html;
  return textRanges(document.body, wanted).map(String);
};

it("finds a text anywhere, in either case, and returns it as written", () => {
  expect(found("<p>Order, order.</p><p>disorder</p>", "ORDER")).toEqual(["Order", "order", "order"]);
  expect(found("<p>a.b (c) [d] axb</p>", "a.b (c) [d]")).toEqual(["a.b (c) [d]"]);
  expect(found("<p>Stoßstange</p>", "STOß")).toEqual(["Stoß"]);
  expect(found("<p>x</p>", "")).toEqual([]);
});

it("reads through the elements of a line, but not across lines", () => {
  const line = '<div><span>"status"</span><span>: </span><span>"ok"</span></div>';
  expect(found(line + line, '"status": "ok"')).toEqual(['"status": "ok"', '"status": "ok"']);
  expect(found("<p>job</p><p>number</p>", "jobnumber")).toEqual([]);
  expect(found("<p><b>a</b>a<i>a</i>a</p>", "aa")).toEqual(["aa", "aa"]);
});

it("skips hidden text", () => {
  const page =
    '<p hidden>word</p><p><span class="sr">word</span>word</p><script>word</script><p data-unsearched>word</p>';
  expect(found(page, "word")).toHaveLength(1);
  expect(found('<div style="display: contents"><p>word</p><p hidden>word</p></div>', "word")).toHaveLength(1);
});

it("stops at the maximum number of matches", () => {
  expect(found(`<p>${"a".repeat(MAX_MATCHES * 2)}</p>`, "a")).toHaveLength(MAX_MATCHES);
});
