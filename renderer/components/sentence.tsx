/** A sentence; text in backticks is set as code. */
export const Sentence = ({ text }: { text: string }) =>
  text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
      <span data-variant="mono" key={index}>
        {part}
      </span>
    ),
  );
