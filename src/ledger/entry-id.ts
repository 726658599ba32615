/** One entry for one request: who has one of the two ids finds the other. */
export const usageEntryId = (requestId: string): string =>
  `ent_${requestId.slice(requestId.indexOf('_') + 1)}`;

/** Whichever of the two it is. */
export const entryIdOf = (id: string): string => (id.startsWith('ent_') ? id : usageEntryId(id));
