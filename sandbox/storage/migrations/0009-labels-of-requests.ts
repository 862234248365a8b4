/** Labels became searchable, so all calls are indexed again. */
export const labelsOfRequests = "INSERT INTO requests_search (requests_search) VALUES ('delete-all')";
