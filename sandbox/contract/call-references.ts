/** `{{code.access_code}}`: a field of a response that was saved under a name. */
export const CALL_REFERENCE = /\{\{(\w+)\.([\w.]+)\}\}/g;

/** Replaces references to saved responses in a text. One that leads nowhere stays. */
export const fillReferences = (text: string, saved: Readonly<Record<string, unknown>>): string =>
  text.replace(CALL_REFERENCE, (reference, name: string, path: string) => {
    const value = path.split(".").reduce<unknown>((part, key) => Object(part)[key], saved[name]);
    return typeof value === "string" ? value : reference;
  });
