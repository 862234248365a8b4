import { grow } from "../grown-jobs.ts";
import { answerCalls } from "../processes/answering.ts";

const calls = { grow };
export type WorldGrowerCalls = typeof calls;

answerCalls(calls);
