/** Ports above 1023 that browsers block, from the Fetch standard. The explorer couldn't be opened there. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Checks whether browsers open pages on a port. */
export const isPortForPages = (port: number): boolean => !BAD_PORTS.has(port);
