/** A code or operation name that may wrap after underscores and dots. */
export const Breakable = ({ code }: { code: string }) =>
  code.split(/(?<=[_.])/).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a code never move
    <span key={index}>
      {piece}
      <wbr />
    </span>
  ));
