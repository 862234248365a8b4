/**
 * The look of the pages a partner's user meets: the explorer's tokens, written into the page, because it may load
 * nothing. Its fonts are not among what it may load either: where they are installed they are used.
 */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --canvas: #f9fafb; --surface: #fff; --hover: #eff0f2; --line: #e1e3e5; --line-strong: #cbced1; --line-control: #898d91;
  --text: #15191d; --text-2: #43484e; --text-3: #5e646a; --accent: #006777; --accent-hover: #005563; --accent-tint: #eef7f9; --on-accent: #fff;
  --buyer: #3760d8; --supplier: #bd307d; --bad: #d4302e; --bad-text: #b01f1f; --bad-tint: #fff0ee;
  --font: "Inter Variable", Inter, system-ui, sans-serif;
  --mono: "JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace; }
@media (prefers-color-scheme: dark) { :root { --canvas: #0f1114; --surface: #14171a; --hover: #1e2124; --line: #24272b; --line-strong: #393e43; --line-control: #676c73;
  --text: #e6e8ea; --text-2: #b2b6bb; --text-3: #8f949a; --accent: #56bfd3; --accent-hover: #71d1e5; --accent-tint: #17262a; --on-accent: #051214;
  --buyer: #648cf3; --supplier: #e267a3; --bad: #ed615c; --bad-text: #fd9995; --bad-tint: #2f1c19; } }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; grid-template-rows: 44px 1fr; background: var(--canvas); color: var(--text); font: 13px/20px var(--font);
  font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased; }
.top { display: flex; align-items: center; gap: 8px; padding: 0 16px; border-bottom: 1px solid var(--line); }
.top svg { width: 20px; height: 20px; flex: none; } .top b { font-weight: 500; } .top .r { margin-left: auto; font: 12px/16px var(--font); color: var(--text-3); }
main { width: min(480px, 100% - 32px); margin: auto; padding: 24px 0 48px; }
.card { background: var(--surface); border: 1px solid var(--line-strong); border-radius: 6px; overflow: hidden; }
.intro { padding: 20px 20px 16px; } h1 { font: 600 15px/20px var(--font); margin-bottom: 6px; }
p { color: var(--text-2); } p + p { margin-top: 8px; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin-top: 12px; font: 12px/16px var(--font); }
dt { color: var(--text-3); } dd { color: var(--text-2); }
code { font: 12px/16px var(--mono); overflow-wrap: anywhere; }
fieldset { border: 0; padding: 0; min-width: 0; border-top: 1px solid var(--line); }
legend { float: left; width: 100%; padding: 10px 20px 6px; font: 500 12px/16px var(--font); color: var(--text-3); } legend + * { clear: both; }
label { display: flex; gap: 8px; align-items: center; min-height: 36px; padding: 0 20px; cursor: pointer; }
label:hover { background: var(--hover); }
label:has(:checked) { background: var(--accent-tint); box-shadow: inset 2px 0 0 var(--accent); }
input { accent-color: var(--accent); margin: 0; flex: none; }
label small { margin-left: auto; font: 12px/16px var(--font); color: var(--text-3); white-space: nowrap; } label span { width: 64px; text-align: right; font: 12px/16px var(--mono); color: var(--text-2); }
.glyph { width: 12px; height: 12px; border: 1.5px solid; border-radius: 2px; flex: none; }
.repairer { color: var(--buyer); background: linear-gradient(90deg, currentColor 50%, transparent 50%); }
.supplier { color: var(--supplier); background: linear-gradient(90deg, transparent 50%, currentColor 50%); }
.row { display: flex; gap: 8px; align-items: center; padding: 12px 20px; border-top: 1px solid var(--line); }
.row small { flex: 1; font: 12px/16px var(--font); color: var(--text-3); }
button { height: 28px; padding: 0 12px; border-radius: 4px; border: 1px solid var(--line-strong); background: transparent; color: inherit; font: 500 13px/20px var(--font); cursor: pointer; }
button:hover { background: var(--hover); }
button[value=approve] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button[value=approve]:hover { background: var(--accent-hover); border-color: var(--accent-hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; } label :focus-visible { outline-offset: 2px; }
.bad { padding: 16px 20px; background: var(--bad-tint); box-shadow: inset 2px 0 0 var(--bad); } .bad h1 { color: var(--bad-text); }
@media (max-height: 720px) { main { margin-top: 0; } }
@media (forced-colors: active) { label:has(:checked) { outline: 2px solid Highlight; outline-offset: -2px; } .glyph { forced-color-adjust: none; } }`;
