import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./project.mjs";

/** The parts that have rooms. */
export const PARTS = ["sandbox"];

/** What measures and tests the product is drawn nowhere: the product imports none of it. */
const BESIDE = new Set(["sandbox/bench", "sandbox/soak", "sandbox/testing", "sandbox/tests", "renderer/testing"]);

const IMPORT = /\b(?:from|import)\s+"(\.[^"]+)"/g;

/**
 * The rooms of a part, which are its folders, and what each imports of others, types included. What is loaded only when it
 * is needed, by `import()`, is no arrow.
 *
 * @param {string} part
 * @returns {Map<string, Set<string>>}
 */
export function roomsOf(part) {
  /** @type {Map<string, Set<string>>} */
  const rooms = new Map();
  for (const file of fs.globSync(`${part}/*/**/*.{ts,tsx}`, { cwd: ROOT })) {
    const room = roomOf(file);
    if (room === null || /\.test\.tsx?$/.test(file)) continue;
    const imported = rooms.get(room) ?? new Set();
    rooms.set(room, imported);
    for (const [, to = ""] of fs.readFileSync(path.join(ROOT, file), "utf8").matchAll(IMPORT)) {
      const other = roomOf(path.join(path.dirname(file), to));
      if (other !== null && other !== room && other.startsWith(part)) imported.add(other);
    }
  }
  return rooms;
}

/** @param {string} file @returns {string | null} null for what stands in no room */
function roomOf(file) {
  const [part, folder, ...rest] = file.split(path.sep);
  const room = `${part}/${folder}`;
  return rest.length === 0 || BESIDE.has(room) ? null : room;
}

/**
 * Rooms that lead back to themselves.
 *
 * @param {Map<string, Set<string>>} rooms
 */
export const circular = (rooms) => [...rooms.keys()].filter((room) => reached(rooms, room).has(room));

/**
 * All that a room imports, directly or through others.
 *
 * @param {Map<string, Set<string>>} rooms
 * @param {string} from
 * @returns {Set<string>}
 */
function reached(rooms, from) {
  /** @type {Set<string>} */
  const found = new Set();
  const next = [...(rooms.get(from) ?? [])];
  for (let room = next.pop(); room !== undefined; room = next.pop()) {
    if (found.has(room)) continue;
    found.add(room);
    next.push(...(rooms.get(room) ?? []));
  }
  return found;
}

/**
 * The drawing of a part: an arrow leads from a room to what it imports. One that a longer way says anyway is left out.
 *
 * @param {string} part
 * @returns {string} a Mermaid block
 */
export function drawing(part) {
  const rooms = roomsOf(part);
  const name = (/** @type {string} */ room) => path.basename(room);
  const arrows = [...rooms].flatMap(([room, imported]) => {
    const further = new Set([...imported].flatMap((one) => [...reached(rooms, one)]));
    return [...imported].filter((one) => !further.has(one)).map((one) => `  ${name(room)} --> ${name(one)}`);
  });
  return ["```mermaid", "flowchart TD", ...arrows.sort(), "```"].join("\n");
}
