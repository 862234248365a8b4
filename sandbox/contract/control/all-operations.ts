import type { Operation } from "../operation.ts";
import * as activity from "./activity-operations.ts";
import * as counterpart from "./counterpart-operations.ts";
import * as explain from "./explain-operations.ts";
import * as fault from "./fault-operations.ts";
import * as operations from "./operations.ts";
import * as readiness from "./readiness-operations.ts";
import * as receiver from "./receiver-operations.ts";
import * as scenario from "./scenario-operations.ts";
import * as service from "./service-operations.ts";
import * as snapshot from "./snapshot-operations.ts";
import * as world from "./world-operations.ts";

type DeclaredIn<Module> = Extract<Module[keyof Module], Operation & { readonly id: string }>;

/** The operations among a module's exports. */
const declaredIn = <Module extends object>(module: Module): readonly DeclaredIn<Module>[] =>
  Object.values(module).filter((one): one is DeclaredIn<Module> => typeof one === "object" && "surface" in one);

/** Every operation of the control plane: each one exported by the modules in this folder. */
export const controlOperations = [
  ...declaredIn(service),
  ...declaredIn(world),
  ...declaredIn(operations),
  ...declaredIn(explain),
  ...declaredIn(activity),
  ...declaredIn(receiver),
  ...declaredIn(fault),
  ...declaredIn(counterpart),
  ...declaredIn(snapshot),
  ...declaredIn(readiness),
  ...declaredIn(scenario),
];

export type ControlOperations = { readonly [O in (typeof controlOperations)[number] as O["id"]]: O };
export const controlById = Object.fromEntries(controlOperations.map((one) => [one.id, one])) as ControlOperations;
