import type { Asked, Calls } from "./calls.ts";

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Makes this process answer calls of the one that started it, and end with it. */
export const answerCalls = (calls: Calls): void => {
  process.on("message", ({ id, name, argument }: Asked) => {
    void (async () => {
      try {
        const call = calls[name];
        if (!call) throw new Error(`There is no call ${name}.`);
        process.send?.({ id, value: await call(argument as never) });
      } catch (error) {
        process.send?.({ id, error: messageOf(error) });
      }
    })();
  });
  process.on("disconnect", () => process.exit());
};
