import type { ChildProcess } from "node:child_process";
import type { Answered, Calls } from "./calls.ts";
import type { Children } from "./children.ts";

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

/** A process of the bench's own, asked by messages. */
export class Actor<C extends Calls> {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor(children: Children, module: string) {
    this.#child = children.fork(module);
    this.#child.on("message", (answered: Answered) => {
      const waiting = this.#waiting.get(answered.id);
      this.#waiting.delete(answered.id);
      if ("error" in answered) waiting?.reject(new Error(answered.error));
      else waiting?.resolve(answered.value);
    });
    this.#child.once("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${module} ended.`));
      this.#waiting.clear();
    });
  }

  call<N extends keyof C & string>(name: N, argument: Parameters<C[N]>[0]): Promise<Awaited<ReturnType<C[N]>>> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.#child.send({ id, name, argument });
    });
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}
