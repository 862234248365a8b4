/** Values as text, so that they can cross between worlds and processes as Electron's structured clones do. */
export interface Codec {
  encode(value: unknown): string;
  decode(text: string): unknown;
}

/** What stands for a function while it crosses, and what calls it from the other end. */
export interface FunctionsAcross {
  /** Keeps a function at this end; the number stands for it. */
  keep(call: (...args: unknown[]) => unknown): number;
  /** What calls the function that is kept at the other end. */
  proxy(id: number): (...args: unknown[]) => unknown;
}

/**
 * Data and bytes cross, and functions where `functions` are given; anything else is refused as Electron refuses it. Runs
 * in pages too, as text: it may use nothing from outside its own body.
 */
export function createCodec(functions: FunctionsAcross | null): Codec {
  const binary = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return {
    encode: (value) =>
      JSON.stringify(value, function encodeMember(this: Record<string, unknown>, key: string, member: unknown) {
        // Node's own bytes have turned themselves into an object by now.
        const original = this[key];
        if (original instanceof Uint8Array) return { $bytes: btoa(binary(original)) };
        if (typeof member === "function" && functions) {
          return { $function: functions.keep(member as (...args: unknown[]) => unknown) };
        }
        if (["function", "symbol", "bigint"].includes(typeof member)) throw new Error("An object could not be cloned.");
        return member;
      }),
    decode: (text) =>
      JSON.parse(text, (_key, member: unknown) => {
        if (typeof member !== "object" || member === null) return member;
        if ("$bytes" in member) return Uint8Array.from(atob(String(member.$bytes)), (one) => one.charCodeAt(0));
        if ("$function" in member && functions) return functions.proxy(Number(member.$function));
        return member;
      }),
  };
}
