const hex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A credentials file for a deployed service, every value of it new; the addresses codes may be sent to are to be added. */
export const freshCredentials = () => {
  const credential = () => ({
    api_key: `sbx_${hex(16)}`,
    integration_id: crypto.randomUUID(),
    webhook_secret: `pwh_${hex(24)}`,
  });
  const client = (name: string) => ({ client_id: `${name}-${hex(4)}`, client_secret: `cs_${hex(16)}` });
  return {
    credentials: { repairer: credential(), supplier: credential() },
    clients: { demo: { ...client("demo"), redirect_uris: [] }, no_oauth: client("no-oauth") },
  };
};
