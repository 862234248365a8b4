/** A UUID that nothing of any world has. */
export const NO_ONES_ID = "00000000-0000-4000-8000-000000000000";
