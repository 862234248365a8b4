import { type Notation, writeCall, writeValue } from "./notation.ts";
import { type Call, type Field, type Language, type Step, writeParts } from "./step.ts";

const fill = (text: string): string => `f"${text}"`;

const notation: Notation = {
  nothing: "None",
  quote: (text) => JSON.stringify(text),
  fill,
  saved: (name) => name,
  list: ["[", "]"],
  object: ["{", "}"],
  separator: ", ",
  lineEnd: ",",
  indent: "    ",
  member: (name, value) => `${JSON.stringify(name)}: ${value}`,
};

const callOf = ({ by, path, body }: Call, around = (call: string) => call): string =>
  writeCall(body, notation, (written) => around(`${by}("${path}", ${written})`));

const find = ({ name, list = "items", item }: Field, call: string): string => {
  if (item === undefined) return `${call}["${name}"]`;
  if (item === "first") return `${call}["${list}"][0]["${name}"]`;
  const [field, value] = item;
  return `next(one["${name}"] for one in ${call}["${list}"] if one["${field}"] == ${writeValue(value, notation)})`;
};

const OPEN = `
import json
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ready = json.load(open("ready.json"))
base, token = ready["base_url"], ready["control_token"]

def post(path, body, headers={}):
    sent = {"content-type": "application/json", **headers}
    try:
        with urlopen(Request(f"{base}/{path}", json.dumps(body).encode(), sent)) as response:
            return json.load(response)
    except HTTPError as error:
        raise RuntimeError(f"{error.code} {error.read().decode()}") from None

def control(operation, body):
    return post(f"__sandbox/{operation}", body, {"authorization": f"Bearer {token}"})
`.trim();

const write = (step: Step): string => {
  switch (step.kind) {
    case "open":
      // The interactive interpreter needs an empty line after a function.
      return `${OPEN}\n`;
    case "caller": {
      const headers = { authorization: `Bearer ${step.key}`, "service-integration-id": step.integration };
      const around = (written: string): string =>
        `def ${step.name}(path, body):\n    return post(path, body, ${written.replaceAll("\n", "\n    ")})\n`;
      return writeCall(headers, notation, around);
    }
    case "save":
      return callOf(step.call, (call) => `${step.name} = ${find(step.field, call)}`);
    case "saveAll": {
      const names = Object.keys(step.fields).join(", ");
      const fields = Object.values(step.fields).map((path) => `answer["${path}"]`);
      return `${callOf(step.call, (call) => `answer = ${call}`)}\n${names} = ${fields.join(", ")}`;
    }
    case "print":
      return step.field === undefined
        ? callOf(step.call, (call) => `print(json.dumps(${call}))`)
        : callOf(step.call, (call) => `print(${call}["${step.field}"])`);
    case "printEach": {
      const line = writeParts(
        step.line,
        (plain) => plain,
        (name) => `{one['${name}']}`,
      );
      return callOf(step.call, (call) => `print("\\n".join(f"${line}" for one in ${call}["items"]))`);
    }
    case "say":
      return `print(${fill(step.text)})`;
    case "wait":
      return `time.sleep(${step.seconds})`;
  }
};

export const python: Language = { label: "Python", name: "python", write };
