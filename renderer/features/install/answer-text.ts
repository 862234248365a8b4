import { ServiceFailure } from "../../lib/service-failure.ts";

/**
 * A text field of an answer.
 * @throws ServiceFailure when the answer has none of that name
 */
export const textIn = (body: unknown, name: string): string => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value === "string") return value;
  throw new ServiceFailure(200, "unexpected_answer", `The answer has no ${name}.`);
};
