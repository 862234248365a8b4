import tls from "node:tls";

/**
 * Trusts the system's certificates in addition to Node's. Company proxies and local authorities for `localhost` need
 * it.
 */
export const trustSystem = (): void => {
  const both = [...tls.getCACertificates("default"), ...tls.getCACertificates("system")];
  tls.setDefaultCACertificates([...new Set(both)]);
};
