import { MASK, maskSecret } from "../../sandbox/contract/known-secrets.ts";

/**
 * "Bearer isk_••••••••91bc": of a key the scheme and the end stay, to recognise it by. A password has no part that may be
 * shown, and a cookie none that can be told from its secret.
 */
export const maskHeader = (name: string, value: string): string => {
  switch (name.toLowerCase()) {
    case "authorization":
    case "proxy-authorization": {
      const [scheme = "", key] = value.split(/\s+(.*)/s);
      if (key === undefined) return maskSecret(value);
      return `${scheme} ${/^bearer$/i.test(scheme) ? maskSecret(key) : MASK}`;
    }
    case "cookie":
    case "set-cookie":
      return MASK;
    default:
      return value;
  }
};

/** Header lines as sent; credentials are masked. */
export const HeadersView = ({
  headers,
  label,
  marks = [],
}: {
  headers: ReadonlyArray<readonly [string, string]>;
  label: string;
  marks?: readonly string[];
}) => (
  <section className="code wrapped headers" aria-label={label}>
    {headers.length === 0 && <span className="x">no headers</span>}
    {headers.map(([name, value], index) => (
      <span key={`${name}-${String(index)}`} className="ln">
        <span className="k">{name.toLowerCase()}:</span>{" "}
        <span className={marks.includes(name.toLowerCase()) ? "hit" : undefined}>{maskHeader(name, value)}</span>
      </span>
    ))}
  </section>
);
