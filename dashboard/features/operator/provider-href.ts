/** Returns the address of the page of a provider. */
export const providerHref = (id: string): string => `/operator/providers/${encodeURIComponent(id)}`;
