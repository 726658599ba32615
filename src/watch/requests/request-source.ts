/** The origin of a request. */
export const requestSources = ['api', 'batch', 'playground'] as const;
export type RequestSource = (typeof requestSources)[number];
