const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/** What may come next: a value; a name; either of them or the end of what has just begun; or what follows a value. */
type Next = "value" | "name" | "value or end" | "name or end" | "more";

/** The first place at which a text is no JSON, by line and column from 1; null: it is JSON. */
export const jsonMistake = (text: string): { readonly line: number; readonly column: number } | null => {
  const open: string[] = [];
  let next: Next = "value";
  let at = 0;
  const taken = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ""] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  const place = () => {
    const lines = text.slice(0, at).split("\n");
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  };
  for (;;) {
    taken(SPACE);
    if (next === "more" && open.length === 0) return at === text.length ? null : place();
    const one = text.charAt(at);
    const closes = next === "more" || next.endsWith("end");
    if (closes && one !== "" && one === open.at(-1)) {
      open.pop();
      next = "more";
      at += 1;
    } else if (next === "more") {
      if (one !== ",") return place();
      next = open.at(-1) === "}" ? "name" : "value";
      at += 1;
    } else if (next.startsWith("name")) {
      if (one !== '"' || taken(SCALAR) === "") return place();
      taken(SPACE);
      if (text.charAt(at) !== ":") return place();
      at += 1;
      next = "value";
    } else if (one === "{" || one === "[") {
      open.push(one === "{" ? "}" : "]");
      next = one === "{" ? "name or end" : "value or end";
      at += 1;
    } else {
      if (taken(SCALAR) === "") return place();
      next = "more";
    }
  }
};
