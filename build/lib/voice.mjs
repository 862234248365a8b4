const HEARTBEAT_MS = 10_000;
const WORTH_TELLING_MS = 2_000;

/**
 * What a person is told while the bootstrap works: one line when a step begins, one when a long step ends, and one now
 * and then in between.
 *
 * @typedef {object} Voice
 * @property {(line: string) => void} say
 * @property {<T>(line: string, work: () => Promise<T>) => Promise<T>} step
 */

/**
 * @param {{ write(text: string): unknown }} stream
 * @returns {Voice}
 */
export function createVoice(stream) {
  const say = (/** @type {string} */ line) => void stream.write(`${line}\n`);
  return {
    say,
    async step(line, work) {
      say(`${line} …`);
      const began = performance.now();
      const heartbeat = setInterval(
        () => say(`  still at it after ${seconds(performance.now() - began)}`),
        HEARTBEAT_MS,
      );
      try {
        return await work();
      } finally {
        clearInterval(heartbeat);
        const took = performance.now() - began;
        if (took > WORTH_TELLING_MS) say(`  took ${seconds(took)}`);
      }
    },
  };
}

/**
 * @param {number} ms
 * @returns {string} for example `0.4 s`, `12 s`, `2 min 5 s`
 */
export function seconds(ms) {
  const s = ms / 1000;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  const whole = Math.round(s);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
