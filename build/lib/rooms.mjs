import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./project.mjs";

/** Parts with a diagram. */
export const PARTS = ["sandbox", "renderer"];

/** Excluded from diagrams: measurements and tests, which the product doesn't import. */
const EXCLUDED = new Set(["sandbox/bench", "sandbox/soak", "sandbox/testing", "sandbox/tests", "renderer/testing"]);

const IMPORT = /\b(?:from|import)\s+"(\.[^"]+)"/g;

/**
 * Returns a part's folders, and the folders that each imports, types included. Dynamic imports don't count.
 *
 * @param {string} part
 * @returns {Map<string, Set<string>>}
 */
export function readRooms(part) {
  /** @type {Map<string, Set<string>>} */
  const rooms = new Map();
  for (const file of fs.globSync(`${part}/*/**/*.{ts,tsx}`, { cwd: ROOT })) {
    const room = findRoom(file);
    if (room === null || /\.test\.tsx?$/.test(file)) continue;
    const imported = rooms.get(room) ?? new Set();
    rooms.set(room, imported);
    for (const [, to = ""] of fs.readFileSync(path.join(ROOT, file), "utf8").matchAll(IMPORT)) {
      const other = findRoom(path.join(path.dirname(file), to));
      if (other !== null && other !== room && other.startsWith(part)) imported.add(other);
    }
  }
  return rooms;
}

/** @param {string} file @returns {string | null} null for a file outside all rooms */
function findRoom(file) {
  const [part, folder, ...rest] = file.split(path.sep);
  const room = `${part}/${folder}`;
  return rest.length === 0 || EXCLUDED.has(room) ? null : room;
}

/**
 * Returns folders that import themselves through others.
 *
 * @param {Map<string, Set<string>>} rooms
 */
export const findCycles = (rooms) => [...rooms.keys()].filter((room) => reachableRooms(rooms, room).has(room));

/**
 * Returns everything a folder imports, directly or indirectly.
 *
 * @param {Map<string, Set<string>>} rooms
 * @param {string} from
 * @returns {Set<string>}
 */
function reachableRooms(rooms, from) {
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
 * Draws a part: arrows point to imported folders. An arrow that a longer path implies is omitted.
 *
 * @param {string} part
 * @returns {string} a Mermaid block
 */
export function drawDiagram(part) {
  const rooms = readRooms(part);
  const name = (/** @type {string} */ room) => path.basename(room);
  const arrows = [...rooms].flatMap(([room, imported]) => {
    const further = new Set([...imported].flatMap((one) => [...reachableRooms(rooms, one)]));
    return [...imported].filter((one) => !further.has(one)).map((one) => `  ${name(room)} --> ${name(one)}`);
  });
  return ["```mermaid", "flowchart TD", ...arrows.sort(), "```"].join("\n");
}
