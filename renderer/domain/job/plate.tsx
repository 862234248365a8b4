/** A registration mark, with its state where it has one; a vehicle without one says so. */
export const Plate = ({ plate, state }: { plate: string | null; state?: string | null }) =>
  plate ? (
    <span className="plate" title={plate}>
      {state && <i>{state}</i>}
      {plate}
    </span>
  ) : (
    <span className="li-aside">no plate</span>
  );
