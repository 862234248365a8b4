import { type Notation, writeCall, writeValue } from "./notation.ts";
import { type Call, type Field, type Language, type Step, writeParts } from "./step.ts";

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const fill = (text: string): string =>
  `"${writeParts(
    text,
    (plain) => plain,
    (name) => `$${name}`,
  )}"`;

const notation: Notation = {
  nothing: "$null",
  quote,
  fill,
  saved: (name) => `$${name}`,
  list: ["@(", ")"],
  object: ["@{ ", " }"],
  separator: "; ",
  lineEnd: "",
  indent: "  ",
  member: (name, value) => `${/^\w+$/.test(name) ? name : quote(name)} = ${value}`,
};

const functionName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const callOf = ({ by, path, body }: Call, around = (call: string) => call): string =>
  writeCall(body, notation, (written) => around(`${functionName(by)} ${quote(path)} ${written}`));

const find = ({ name, list = "items", item }: Field, call: string): string => {
  if (item === undefined) return `(${call}).${name}`;
  if (item === "first") return `(${call}).${list}[0].${name}`;
  const [field, value] = item;
  const wanted = writeValue(value, notation);
  return `((${call}).${list} | Where-Object ${field} -eq ${wanted} | Select-Object -First 1).${name}`;
};

const OPEN = `
$ready = Get-Content ready.json -Raw | ConvertFrom-Json
$base = $ready.base_url
function Post($path, $body, $headers = @{}) {
  $sent = [Text.Encoding]::UTF8.GetBytes((ConvertTo-Json -InputObject $body -Depth 9))
  Invoke-RestMethod -Method Post -Uri "$base/$path" -Headers $headers -ContentType 'application/json' -Body $sent
}
function Control($operation, $body) {
  Post "__sandbox/$operation" $body @{ authorization = "Bearer $($ready.control_token)" }
}
`.trim();

const write = (step: Step): string => {
  switch (step.kind) {
    case "open":
      return OPEN;
    case "caller": {
      const headers = { authorization: `Bearer ${step.key}`, "service-integration-id": step.integration };
      const around = (written: string): string =>
        `function ${functionName(step.name)}($path, $body) {\n  Post $path $body ${written.replaceAll("\n", "\n  ")}\n}`;
      return writeCall(headers, notation, around);
    }
    case "save":
      return callOf(step.call, (call) => `$${step.name} = ${find(step.field, call)}`);
    case "saveAll": {
      const fields = Object.entries(step.fields).map(([name, path]) => `$${name} = $answer.${path}`);
      return [callOf(step.call, (call) => `$answer = ${call}`), ...fields].join("\n");
    }
    case "print":
      return step.field === undefined
        ? callOf(step.call, (call) => `${call} | ConvertTo-Json -Depth 9 -Compress`)
        : callOf(step.call, (call) => `(${call}).${step.field}`);
    case "printEach": {
      const line = writeParts(
        step.line,
        (plain) => plain,
        (name) => `$($_.${name})`,
      );
      return callOf(step.call, (call) => `(${call}).items | ForEach-Object { "${line}" }`);
    }
    case "say":
      return fill(step.text);
    case "wait":
      return `Start-Sleep ${step.seconds}`;
  }
};

export const powershell: Language = { label: "PowerShell", name: "powershell", write };
