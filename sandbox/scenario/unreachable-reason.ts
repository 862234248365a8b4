/** An error and its causes, outermost first. */
const causesOf = (error: unknown): Error[] => {
  const found: Error[] = [];
  for (let one = error; one instanceof Error && !found.includes(one); one = one.cause) found.push(one);
  return found;
};

const codeOf = (error: Error): string => ("code" in error ? String(error.code) : "");

/** Codes of Node and OpenSSL for a certificate that isn't accepted, or for a peer without TLS. */
const TLS_CODES = /CERT|SIGNATURE|SELF_SIGNED|_CRL|^ERR_(?:TLS|SSL)_|^EPROTO$/;
/** Codes for a connection that was never opened. */
const NEVER_OPENED =
  /^(?:ECONNREFUSED|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Returns why the proxy or TLS prevents a call, and what to do; null for another failure.
 *
 * @param baseUrl the service's address
 * @param through a route's suffix, which names its proxy; empty without one
 */
export const findObstacle = (error: unknown, baseUrl: string, through: string): string | null => {
  const causes = causesOf(error);
  const proxy = through.replace(" through the proxy", "");
  const status = causes.map(({ message }) => /Proxy response \((\d+)\)/.exec(message)?.[1]).find(Boolean);
  // For an http address, fetch fails instead of returning a 407.
  const isAsked = causes.some(({ message }) => /^proxy authentication required/i.test(message));
  if (status === "407" || isAsked)
    return `The proxy wants a password, or rejects the one that it got (407):${proxy}. Write it into the variable, as http://user:password@host:port.`;
  if (status !== undefined)
    return `The proxy refused to connect to ${baseUrl} (${status}):${proxy}. Ask its operator to allow the host, or add the host to NO_PROXY.`;
  const tlsError = causes.find((one) => TLS_CODES.test(codeOf(one)));
  if (tlsError) {
    // Node may add advice about its own options.
    const [reason = ""] = tlsError.message.split(/[;\n]/);
    return `TLS with ${baseUrl}${through} failed: ${reason.trim()}. If you trust its issuer, install the issuer’s certificate in the system, or set NODE_EXTRA_CA_CERTS to it.`;
  }
  const code = causes.map(codeOf).find((one) => NEVER_OPENED.test(one));
  if (through !== "" && code !== undefined)
    return `The proxy isn’t reachable (${code}):${proxy}. Check HTTPS_PROXY or HTTP_PROXY, or add the service’s host to NO_PROXY.`;
  return null;
};

/** Returns one sentence with the reason why a call to a service got no response, and what to do. */
export const unreachableSentence = (error: unknown, baseUrl: string, through: string): string => {
  const what = through === "" ? "the address" : "the address and the proxy";
  const obstacle = findObstacle(error, baseUrl, through);
  return obstacle ?? `No service responds at ${baseUrl}${through}. Start it, or check ${what}.`;
};

/** Sentence for a server that answers, but not as a sandbox. @param answer its status, and what was missing */
export const strangerSentence = (baseUrl: string, through: string, answer: string): string =>
  `The server at ${baseUrl}${through} isn’t a sandbox: it answered ${answer}. Check --url${through && " and the proxy"}.`;
