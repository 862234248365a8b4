/** Reason why a reachable receiver can't be sent to, and a remedy. */
interface TransportFault {
  /** One sentence without its full stop, as shown on an attempt. */
  readonly says: string;
  readonly remedy: string;
}

const CERTIFICATE = "Give the receiver a certificate of a public CA. On your own machine, subscribe an http URL.";
const fault = (says: string, remedy: string): TransportFault => ({ says, remedy });

const http2Only = fault(
  "the receiver speaks HTTP/2 only, and notifications are sent over HTTP/1.1",
  "Let the receiver accept HTTP/1.1 too.",
);
const tlsOnly = fault(
  "the receiver expects TLS at this port, and the URL begins with http://",
  "Subscribe the URL with https://.",
);
const noTls = fault(
  "the receiver doesn’t speak TLS at this port, and the URL begins with https://",
  "Subscribe the URL with http://, or turn on TLS in the receiver.",
);
const selfSigned = fault("the receiver’s certificate is self-signed, so it isn’t trusted", CERTIFICATE);
const unknownIssuer = fault("the receiver’s certificate was issued by a CA that isn’t trusted", CERTIFICATE);
const expired = fault("the receiver’s certificate has expired", "Renew the receiver’s certificate.");
const otherName = fault(
  "the receiver’s certificate is for another host name than the URL’s",
  "Subscribe the URL with the host name of the certificate, or have one issued for this host.",
);

/** By error code of Node or OpenSSL. */
const byCode: Readonly<Record<string, TransportFault>> = {
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: http2Only,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  CERT_HAS_EXPIRED: expired,
  ERR_TLS_CERT_ALTNAME_INVALID: otherName,
};

/** Fault for a connection's error code; undefined if there is none. */
export const findFaultByCode = (code: string): TransportFault | undefined =>
  Object.hasOwn(byCode, code) ? byCode[code] : undefined;

const HTTP2_SETTINGS = 4;

/** Fault for a response that starts with TLS or HTTP/2 bytes. HTTP/2 begins with a settings frame. */
export const findFaultInResponse = (bytes: Uint8Array): TransportFault | undefined => {
  const [first = 0, second = 0, , type] = bytes;
  if (first >= 0x14 && first <= 0x17 && second === 3) return tlsOnly;
  return first === 0 && type === HTTP2_SETTINGS ? http2Only : undefined;
};

export const attemptRemedies = {
  unreachable: "Check that the receiver is running and that the URL is correct.",
  timedOut: "Check that the receiver can be reached and that it responds before it starts processing.",
  incomplete: "Send the whole response before you close the connection.",
} as const;

/** Remedy for a status that doesn't acknowledge. */
export const findStatusRemedy = (status: number): string => {
  if (status < 300) return "Respond with 200.";
  if (status < 400) return "Return 200 at this address itself, without a redirect.";
  if (status === 401 || status === 403)
    return "Check the receiver’s webhook secret and that no proxy asks for a login.";
  if (status === 404 || status === 405 || status === 410)
    return "Check the path of the URL and that the receiver accepts POST.";
  return "Check the receiver’s log at the time of the attempt.";
};

/** Remedy for an attempt's error; undefined for other errors. */
export const findTransportRemedy = (error: string | null): string | undefined =>
  [tlsOnly, ...Object.values(byCode)].find(({ says }) => says === error)?.remedy;
