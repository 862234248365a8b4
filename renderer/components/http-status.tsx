/**
 * A status code with a mark whose form tells the class too: round 2xx, square 3xx and 4xx, diamond 5xx or no answer.
 *
 * @param error why the answer is worth nothing, where it came at all: a success that broke off is none
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
  const answered = status !== null && status !== 0;
  const broken = answered && status < 300 && error !== null;
  const tone = !answered || broken || status >= 500 ? "bad" : status >= 300 ? "wait" : "ok";
  return (
    <span className={`code2 ${tone}`}>
      {words ?? (status || "no response")}
      {broken && <span className="sr">incomplete</span>}
    </span>
  );
};
