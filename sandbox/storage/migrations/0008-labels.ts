/** What a person knows the job or procurement by that an exchange was about; null where none, and for those from before. */
export const labels = `
ALTER TABLE requests ADD COLUMN label TEXT;
`;
