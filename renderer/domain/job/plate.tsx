/** A number plate with its state, if any; or a note that the vehicle has none. */
export const Plate = ({ plate, state }: { plate: string | null; state?: string | null }) =>
  plate ? (
    <span className="plate" title={plate}>
      {state && <i>{state}</i>}
      {plate}
    </span>
  ) : (
    <span className="li-aside">no plate</span>
  );
