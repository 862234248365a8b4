import { runLoad } from "../load/load.ts";
import { answerCalls } from "../processes/answering.ts";

const calls = { run: runLoad };
export type LoadGeneratorCalls = typeof calls;

answerCalls(calls);
