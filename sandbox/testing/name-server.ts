import dgram from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** The requested name, and its end in the message. */
const parseQuestion = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 5 };
};

const A = 1;
const AAAA = 28;

/** Answers queries for one type of record with this machine's address, and others with no record. */
const buildAnswer = (query: Buffer, end: number, type: number): Buffer => {
  const isFound = query.readUInt16BE(end - 4) === type;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isFound ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const address = type === A ? [127, 0, 0, 1] : [...Array<number>(15).fill(0), 1];
  const found = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, address.length, ...address]);
  return isFound ? Buffer.concat([head, found]) : head;
};

/**
 * Starts a name server that resolves every name to this machine, those starting with "six" to its IPv6 address alone. It
 * never answers for names starting with "hangs".
 * @returns its address for a resolver
 */
export const startNameServer = async (): Promise<string> => {
  const socket = dgram.createSocket("udp4");
  socket.on("message", (query, { address, port }) => {
    const { name, end } = parseQuestion(query);
    const type = name.startsWith("six") ? AAAA : A;
    if (!name.toLowerCase().startsWith("hangs")) socket.send(buildAnswer(query, end, type), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
};
