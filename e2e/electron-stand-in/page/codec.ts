/** Serializes values like Electron's structured clones, to cross between worlds and processes. */
export interface Codec {
  encode(value: unknown): string;
  decode(text: string): unknown;
}

/** Replaces functions by numbers that the other end can call. */
export interface FunctionsAcross {
  /** Stores a function at this end, and returns its number. */
  keep(call: (...args: unknown[]) => unknown): number;
  /** Returns a function that calls the one stored at the other end. */
  proxy(id: number): (...args: unknown[]) => unknown;
}

/**
 * Passes data and bytes, and functions if `functions` is given; refuses the rest like Electron. Also runs in pages as
 * text, so it may use nothing outside its own body.
 */
export function createCodec(functions: FunctionsAcross | null): Codec {
  const binary = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return {
    encode: (value) =>
      JSON.stringify(value, function encodeMember(this: Record<string, unknown>, key: string, member: unknown) {
        // Node's buffers were already converted by their own toJSON.
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
