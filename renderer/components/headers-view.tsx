import { MASK, maskSecret } from "../../sandbox/contract/known-secrets.ts";

/**
 * Masks a credential: "Bearer isk_••••••••91bc". A key keeps its scheme and its end, for recognition. Passwords and
 * cookies are masked completely, because no part of them is safe to show.
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
