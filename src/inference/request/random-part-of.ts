/** Returns the part of a request's id that no other request has. The ids of its answer contain it too. */
export const randomPartOf = (requestId: string): string => requestId.slice(requestId.indexOf('_') + 1);
