/** Encodes the query parameters of a provider. */
export const formatQuery = (pairs: [string, string][]): string => new URLSearchParams(pairs).toString();
