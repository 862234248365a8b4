import { maskSecret } from "../rules/keys.ts";

const SECRET_FIELDS = /("(?:client_secret|api_key|access_code|secret)"\s*:\s*")((?:[^"\\]|\\.)*)"/g;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A body with the values of its secret fields masked; one that is no JSON may hide a secret anywhere and is left out. */
export const maskBody = (body: string): string => {
  if (body === "") return body;
  if (!isJson(body))
    return `(${Buffer.byteLength(body)} bytes that are not JSON, left out because they may hold a secret)`;
  return body.replace(SECRET_FIELDS, (_, head: string, secret: string) => `${head}${maskSecret(secret)}"`);
};

/** A header's value as it may be kept. */
export const maskHeader = (name: string, value: string): string => {
  switch (name.toLowerCase()) {
    case "authorization": {
      const [scheme, ...rest] = value.split(/\s+/);
      return rest.length === 0 ? maskSecret(value) : `${scheme} ${maskSecret(rest.join(" "))}`;
    }
    case "cookie":
      return "••••••••";
    default:
      return value;
  }
};
