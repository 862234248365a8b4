/** Marks the element an invoice is written in. */
export const invoiceForm = { "data-invoice": "" } as const;

/** Whether a key was pressed in an invoice that is being written. */
export const isInInvoice = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest("[data-invoice]") !== null;
