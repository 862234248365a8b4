import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, type Range, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { Box } from "@mantine/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { pointerAt, rangesIn } from "../lib/json-text.ts";

export interface Finding {
  readonly pointer: string;
  readonly message: string;
}

export interface JsonEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly findings: readonly Finding[];
  /** Fields that the operation ignores. */
  readonly ignored?: readonly Finding[];
  /** The field that is edited elsewhere, or null. */
  readonly pointer?: string | null;
  /** Cursor target. A new object with the same pointer moves the cursor there again. */
  readonly at?: Pick<Finding, "pointer"> | null;
  /** Receives the cursor's pointer. */
  readonly onPointer?: (pointer: string) => void;
  /** Completion at the cursor. Left out: no completion. */
  readonly complete?: CompletionSource;
}

const look = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--text-2)" },
  // Keep a value on one line if it fits: an identifier would otherwise break at its hyphens.
  { tag: tags.string, display: "inline-block", maxWidth: "100%" },
  { tag: [tags.number, tags.bool], color: "var(--accent-text)" },
  { tag: tags.null, color: "var(--text-3)", fontStyle: "italic" },
  { tag: [tags.brace, tags.squareBracket, tags.separator], color: "var(--text-3)" },
  { tag: tags.invalid, color: "var(--bad-text)" },
]);

/** The explorer's look; the library brings only layout. */
const house = EditorView.theme({
  "&": { height: "100%", background: "var(--surface)", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  // Above the marks, which span the full width.
  "&.cm-focused::after": {
    content: '""',
    position: "absolute",
    inset: "0",
    zIndex: "1",
    border: "2px solid var(--accent)",
    pointerEvents: "none",
  },
  ".cm-scroller": { font: "var(--m-12r)", padding: "6px 0 12px" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { background: "none", border: "0", color: "var(--text-3)", fontSize: "10.5px" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--mark)",
  },
  "&.cm-focused .cm-matchingBracket": { background: "var(--press)" },
  ".je-current": { background: "var(--accent-tint)", boxShadow: "inset 2px 0 0 var(--accent)" },
  ".je-fault": { background: "var(--bad-tint)", boxShadow: "inset 2px 0 0 var(--bad)" },
  ".cm-tooltip": {
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--r2)",
    background: "var(--raised)",
    color: "var(--text)",
    boxShadow: "var(--shadow-pop)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { font: "var(--m-12)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--accent-tint)",
    color: "var(--text)",
  },
  ".cm-completionDetail": { color: "var(--text-3)", fontStyle: "normal" },
  ".cm-completionInfo, .cm-diagnostic": { font: "var(--t-12)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
});

interface Marks {
  readonly current: number | null;
  readonly faults: readonly number[];
}
const setMarks = StateEffect.define<Marks>();
const lineMark = (name: string) => Decoration.line({ class: name });
const [currentLine, faultLine] = [lineMark("je-current"), lineMark("je-fault")];

/** Marked lines; edits move the marks until the next findings arrive. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { changes, effects, state }) => {
    let now = before.map(changes);
    for (const effect of effects) {
      if (!effect.is(setMarks)) continue;
      const startOf = (at: number) => state.doc.lineAt(Math.min(at, state.doc.length)).from;
      const { current, faults } = effect.value;
      const lines: Range<Decoration>[] = faults.map((at) => faultLine.range(startOf(at)));
      if (current !== null) lines.push(currentLine.range(startOf(current)));
      now = Decoration.set(lines, true);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const isUnmarked = (state: EditorState): boolean => state.field(marks).size === 0;

/** Marks text that came from the form, so that it isn't reported back. */
const fromOutside = Annotation.define<boolean>();

/** Returns the smallest replacement between two texts, so that the cursor keeps its position. */
const changeBetween = (before: string, after: string) => {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < most - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
};

const none: readonly Finding[] = [];

/** A JSON editor with completion, and findings at their positions. */
export const JsonEditor = (props: JsonEditorProps) => {
  const { value, label, findings, ignored = none, pointer = null } = props;
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView | null>(null);
  const onChange = useEffectEvent((text: string) => props.onChange(text));
  const onPointer = useEffectEvent((at: string) => props.onPointer?.(at));
  const complete = useEffectEvent<CompletionSource>((at) => props.complete?.(at) ?? null);
  const begun = useEffectEvent(() => value);

  useEffect(() => {
    const listener = EditorView.updateListener.of(({ docChanged, selectionSet, transactions, state, view }) => {
      const text = state.doc.toString();
      if (docChanged && !transactions.some((one) => one.annotation(fromOutside))) onChange(text);
      if ((selectionSet || docChanged) && view.hasFocus) onPointer(pointerAt(text, state.selection.main.head));
    });
    const view = new EditorView({
      ...(box.current ? { parent: box.current } : {}),
      state: EditorState.create({
        doc: begun(),
        extensions: [
          lineNumbers(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          indentUnit.of("  "),
          EditorState.tabSize.of(2),
          json(),
          syntaxHighlighting(look),
          house,
          bracketMatching(),
          closeBrackets(),
          autocompletion({ override: [(at) => complete(at)], icons: false }),
          marks,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          // Tab moves the focus out of the editor, as everywhere on the page.
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
          listener,
        ],
      }),
    });
    shown.current = view;
    return () => {
      shown.current = null;
      view.destroy();
    };
  }, [label]);

  useEffect(() => {
    const view = shown.current;
    const text = view?.state.doc.toString();
    if (!view || text === undefined || text === value) return;
    view.dispatch({ changes: changeBetween(text, value), annotations: fromOutside.of(true) });
  }, [value]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: positions of the same findings depend on the text
  useEffect(() => {
    const view = shown.current;
    if (!view) return;
    const text = view.state.doc.toString();
    if (pointer === null && findings.length === 0 && ignored.length === 0 && isUnmarked(view.state)) return;
    const rangeOf = rangesIn(text);
    const current = pointer === null ? null : rangeOf(pointer).from;
    const as =
      (severity: Diagnostic["severity"]) =>
      ({ pointer: at, message }: Finding): Diagnostic => ({ ...rangeOf(at), severity, message });
    const errors = findings.map(as("error"));
    view.dispatch({ effects: setMarks.of({ current, faults: errors.map(({ from }) => from) }) });
    view.dispatch(setDiagnostics(view.state, [...errors, ...ignored.map(as("warning"))]));
  }, [findings, ignored, pointer, value]);

  const { at = null } = props;
  useEffect(() => {
    const view = shown.current;
    if (!view || at === null) return;
    const { from } = rangesIn(view.state.doc.toString())(at.pointer);
    view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    view.focus();
  }, [at]);

  return <Box ref={box} h="100%" />;
};
