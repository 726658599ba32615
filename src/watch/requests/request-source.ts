/** Where a request came from. */
export const requestSources = ['api', 'batch', 'playground'] as const;
export type RequestSource = (typeof requestSources)[number];
