import { type Notation, writeCall, writeValue } from "./notation.ts";
import { type Call, type Field, type Language, type Step, writeParts } from "./step.ts";

const fill = (text: string): string =>
  `\`${writeParts(
    text,
    (plain) => plain,
    (name) => `\${${name}}`,
  )}\``;

const notation: Notation = {
  nothing: "null",
  quote: (text) => JSON.stringify(text),
  fill,
  saved: (name) => name,
  list: ["[", "]"],
  object: ["{ ", " }"],
  separator: ", ",
  lineEnd: ",",
  indent: "  ",
  member: (name, value) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${value}`,
};

const callOf = ({ by, path, body }: Call, around = (call: string) => call): string =>
  writeCall(body, notation, (written) => around(`await ${by}("${path}", ${written})`));

const find = ({ name, list = "items", item }: Field): string => {
  if (item === undefined) return `.${name}`;
  if (item === "first") return `.${list}[0].${name}`;
  const [field, value] = item;
  return `.${list}.find((one) => one.${field} === ${writeValue(value, notation)}).${name}`;
};

const OPEN = `
const { readFile } = await import("node:fs/promises");
const { base_url: base, control_token: token } = JSON.parse(await readFile("ready.json", "utf8"));
const post = async (path, body, headers = {}) => {
  const response = await fetch(\`\${base}/\${path}\`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(\`\${response.status} \${text}\`);
  return JSON.parse(text);
};
const control = (operation, body) => post(\`__sandbox/\${operation}\`, body, { authorization: \`Bearer \${token}\` });
`.trim();

const write = (step: Step): string => {
  switch (step.kind) {
    case "open":
      return OPEN;
    case "caller": {
      const headers = { authorization: `Bearer ${step.key}`, "service-integration-id": step.integration };
      const around = (written: string): string => `const ${step.name} = (path, body) => post(path, body, ${written});`;
      return writeCall(headers, notation, around);
    }
    case "save":
      return callOf(step.call, (call) => `const ${step.name} = (${call})${find(step.field)};`);
    case "saveAll": {
      const names = Object.entries(step.fields).map(([name, path]) => `${path}: ${name}`);
      return callOf(step.call, (call) => `const { ${names.join(", ")} } = ${call};`);
    }
    case "print":
      return step.field === undefined
        ? callOf(step.call, (call) => `console.log(JSON.stringify(${call}));`)
        : callOf(step.call, (call) => `console.log((${call}).${step.field});`);
    case "printEach": {
      const line = `\`${step.line.replaceAll("{", "${one.")}\``;
      return callOf(step.call, (call) => `for (const one of (${call}).items) console.log(${line});`);
    }
    case "say":
      return `console.log(${fill(step.text)});`;
    case "wait":
      return `await new Promise((done) => setTimeout(done, ${step.seconds * 1_000}));`;
  }
};

export const node: Language = { label: "Node", name: "js", write };
