import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Commands, Event } from "./cdp.ts";

interface CommandResult {
  id: number;
  result: unknown;
  error?: { message: string };
}
interface Waiting {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Time for Chromium to write its profile and exit, in milliseconds. */
const closingMs = 3000;

/** A running Chromium, controlled over a pipe, so that it ends with this process. */
export class Chromium {
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<void>;
  private readonly process: ChildProcess;
  private readonly toChromium: Writable;
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Map<string, (event: Event) => void>();
  private lastId = 0;
  private alive = true;

  constructor(executable: string, flags: readonly string[]) {
    this.process = spawn(executable, flags, { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
    const [, , errors, toChromium, fromChromium] = this.process.stdio;
    this.toChromium = toChromium as Writable;
    this.toChromium.on("error", () => {});
    forwardAddress(errors as Readable);
    eachMessage(fromChromium as Readable, (message) => this.receive(message));
    this.exited = new Promise((resolve) => {
      this.process.once("exit", () => resolve());
      this.process.once("error", (error) => {
        console.error(`Chromium does not start: ${error.message}`);
        resolve();
      });
    });
    void this.exited.then(() => {
      this.alive = false;
      for (const { method, reject } of this.waiting.values()) reject(new Error(`${method}: Chromium is gone`));
    });
  }

  /** Listens to a session, or to the browser itself when `sessionId` is null. */
  listen(sessionId: string | null, listener: (event: Event) => void): void {
    this.listeners.set(sessionId ?? "", listener);
  }

  send<M extends keyof Commands>(
    method: M,
    params: Commands[M]["params"],
    sessionId?: string,
  ): Promise<Commands[M]["result"]> {
    if (!this.alive) return Promise.reject(new Error(`${method}: Chromium is gone`));
    const id = ++this.lastId;
    this.toChromium.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { method, resolve, reject }));
  }

  /** Sends a command whose window, or Chromium itself, may already be closed. */
  trySend<M extends keyof Commands>(method: M, params: Commands[M]["params"], sessionId?: string): void {
    this.send(method, params, sessionId).catch(() => {});
  }

  async close(): Promise<void> {
    this.trySend("Browser.close", {});
    const impatience = setTimeout(() => this.kill(), closingMs);
    await this.exited;
    clearTimeout(impatience);
  }

  kill(): void {
    this.process.kill("SIGKILL");
  }

  private receive(message: CommandResult | (Event & { id?: never; sessionId?: string })): void {
    if (message.id === undefined) {
      this.listeners.get(message.sessionId ?? "")?.(message);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) waiting?.reject(new Error(`${waiting.method}: ${message.error.message}`));
    else waiting?.resolve(message.result);
  }
}

/**
 * Forwards only Chromium's address, which Playwright reads from standard error; the rest would hide the app's output.
 */
function forwardAddress(errors: Readable): void {
  errors.setEncoding("utf8").on("data", (text: string) => {
    const lines = process.env.STANDIN_DEBUG ? [text] : (text.match(/^DevTools listening.*\n/gm) ?? []);
    for (const line of lines) process.stderr.write(line);
  });
}

function eachMessage(pipe: Readable, receive: (message: CommandResult | Event) => void): void {
  let rest = "";
  pipe.setEncoding("utf8").on("data", (text: string) => {
    const messages = (rest + text).split("\0");
    rest = messages.pop() ?? "";
    for (const message of messages) receive(JSON.parse(message));
  });
}
