import tls from "node:tls";

/**
 * Trusts the certificates of the system beside Node's, for all connections from now on: the proxy of a company opens TLS with
 * one of its own, and developers have authorities for `localhost`.
 */
export const trustSystem = (): void => {
  const both = [...tls.getCACertificates("default"), ...tls.getCACertificates("system")];
  tls.setDefaultCACertificates([...new Set(both)]);
};
