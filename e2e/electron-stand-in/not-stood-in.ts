import { EventEmitter } from "node:events";

/** The app uses a part of Electron that the stand-in lacks: add it here, or test it only with the real runtime. */
export class NotSupportedError extends Error {
  constructor(what: string) {
    super(`electron stand-in: ${what} is not stood in for`);
    this.name = "NotSupportedError";
  }
}

/** Properties that JavaScript reads from any object, for promises and printing. */
const universalProperties = new Set(["then", "toJSON"]);

/** Wraps `target`, so that reading a missing property throws with its name. */
export function strict<T extends object>(name: string, target: T): T {
  const refuseUnknown = (owner: T, key: string | symbol) => {
    if (typeof key === "string" && !(key in owner) && !universalProperties.has(key))
      throw new NotSupportedError(`${name}.${key}`);
  };
  return new Proxy(target, {
    get(owner, key, receiver) {
      refuseUnknown(owner, key);
      return Reflect.get(owner, key, receiver);
    },
    set(owner, key, value, receiver) {
      refuseUnknown(owner, key);
      return Reflect.set(owner, key, value, receiver);
    },
  });
}

/** Throws for the first option that is not among `known`. */
export function refuseUnknownOptions(name: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new NotSupportedError(`the option ${name}.${unknown}`);
}

/** An emitter that refuses listeners for unknown events. */
export class StrictEmitter extends EventEmitter {
  private readonly emitterName: string;
  private readonly emittedEvents: readonly string[];

  constructor(name: string, events: readonly string[]) {
    super();
    this.emitterName = name;
    this.emittedEvents = events;
  }

  override on(event: string, listener: (...args: never[]) => void): this {
    if (!this.emittedEvents.includes(event)) throw new NotSupportedError(`the event ${this.emitterName} "${event}"`);
    return super.on(event, listener as (...args: unknown[]) => void);
  }

  override addListener(event: string, listener: (...args: never[]) => void): this {
    return this.on(event, listener);
  }
}

/** An event that a listener can prevent. */
interface PreventableEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventable<T extends object>(details: T): T & PreventableEvent {
  return {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}
