/** The words of an exchange are those of its label too: all are indexed anew, behind the calls. */
export const labelsOfRequests = "INSERT INTO requests_search (requests_search) VALUES ('delete-all')";
