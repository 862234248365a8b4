import { type Call, type Field, type Language, type Step, writeParts } from "./step.ts";

const MAX_WIDTH = 120;

const variable = (name: string): string => name.toUpperCase();
const inText = (text: string): string =>
  writeParts(
    text,
    (plain) => plain,
    (name) => `$${variable(name)}`,
  );

/** A body in single quotes, which end around each variable. */
const bodyOf = ({ body }: Call): string =>
  `'${writeParts(
    JSON.stringify(body),
    (plain) => plain,
    (name) => `'$${variable(name)}'`,
  )}'`;

const callOf = (call: Call, before = "", after = ""): string => {
  const line = `${call.by} ${call.path} ${bodyOf(call)}`;
  return before.length + line.length + after.length <= MAX_WIDTH
    ? line
    : `${call.by} ${call.path} \\\n  ${bodyOf(call)}`;
};

const find = ({ name, list = "items", item }: Field): string => {
  if (item === undefined) return `.${name}`;
  if (item === "first") return `.${list}[0].${name}`;
  const [field, value] = item;
  const wanted = writeParts(
    value,
    (plain) => plain,
    (saved) => `'$${variable(saved)}'`,
  );
  return `.${list}.find(one => one.${field} === "${wanted}").${name}`;
};

const field = (path: string): string => `field ${/^[.\w]+$/.test(path) ? path : `'${path}'`}`;

const pipe = (call: Call, path: string, before = ""): string => {
  const line = `${callOf(call, before)} | ${field(path)}`;
  return before.length + line.length < MAX_WIDTH ? line : `${callOf(call, before)} |\n  ${field(path)}`;
};

const OPEN = `
BASE=$(node -p "require('./ready.json').base_url")
TOKEN=$(node -p "require('./ready.json').control_token")
post() { curl -sS --fail-with-body "$BASE/$1" -H 'content-type: application/json' -d "$2" "\${@:3}"; }
control() { post "__sandbox/$1" "$2" -H "authorization: Bearer $TOKEN"; }
field() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8'))$1"; }
`.trim();

const write = (step: Step): string => {
  switch (step.kind) {
    case "open":
      return OPEN;
    case "caller": {
      const headers = [`authorization: Bearer ${step.key}`, `service-integration-id: ${step.integration}`];
      return `${step.name}() { post "$1" "$2" ${headers.map((header) => `-H "${inText(header)}"`).join(" ")}; }`;
    }
    case "save":
      return `${variable(step.name)}=$(${pipe(step.call, find(step.field), `${step.name}=$()`)})`;
    case "saveAll": {
      const fields = Object.entries(step.fields).map(
        ([name, path]) => `${variable(name)}=$(field .${path} <<< "$ANSWER")`,
      );
      return [`ANSWER=$(${callOf(step.call, "ANSWER=$()")})`, ...fields].join("\n");
    }
    case "print":
      return step.field === undefined ? `${callOf(step.call, "", "; echo")}; echo` : pipe(step.call, `.${step.field}`);
    case "printEach":
      return pipe(step.call, `.items.map(one => \`${step.line.replaceAll("{", "${one.")}\`).join("\\n")`);
    case "say":
      return `echo "${inText(step.text)}"`;
    case "wait":
      return `sleep ${step.seconds}`;
  }
};

export const bash: Language = { label: "curl", name: "sh", write };
