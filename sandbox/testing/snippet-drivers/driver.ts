import { readFileSync } from "node:fs";
import { verifyWebhook } from "../../../docs/verify-a-webhook/verify-webhook.ts";

const [integration = "", secret = ""] = process.argv.slice(2);
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const [body = "", header, now] = line.split("\t");
  const reason = verifyWebhook(
    Buffer.from(body, "base64"),
    header === "-" ? undefined : header,
    new Map([[integration, secret]]),
    Number(now),
  );
  process.stdout.write(`${reason ?? "ok"}\n`);
}
