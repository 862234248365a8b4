/**
 * A status code with a mark whose shape shows the class: round 2xx, square 3xx and 4xx, diamond 5xx or no response.
 *
 * @param error the reason why a received response is invalid, for example a body that broke off
 */
export const HttpStatus = ({
  status,
  words,
  error = null,
}: {
  status: number | null;
  words?: string;
  error?: string | null;
}) => {
  const hasResponse = status !== null && status !== 0;
  const broken = hasResponse && status < 300 && error !== null;
  const tone = !hasResponse || broken || status >= 500 ? "bad" : status >= 300 ? "wait" : "ok";
  return (
    <span className={`code2 ${tone}`}>
      {words ?? (status || "no response")}
      {broken && <span className="sr">incomplete</span>}
    </span>
  );
};
