/** Finds the requested order that was placed first. An imported one may have been updated later. */
export const requestedOrders =
  "CREATE INDEX procurements_requested ON procurements (created_at) WHERE status = 'order_requested'";
