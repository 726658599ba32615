/**
 * The prefix of a request id or of an answer's id in any dialect (`msg_…`, `chatcmpl-…`). All of them end
 * with the same random characters. Answers in Gemini's dialect have no prefix.
 */
const PREFIX = /^(?:[a-z]+[_-](?=[0-9A-Za-z]+$)|(?=[0-9A-Za-z]{20,}$))/;

/** Returns the entry id of a request. Each of the two ids can be computed from the other. */
export const usageEntryId = (requestId: string): string =>
  `ent_${requestId.slice(requestId.indexOf('_') + 1)}`;

/** The prefix of the adjustment that follows when the exact usage of an estimated request becomes known. */
const DIFFERENCE = /^ent_late_/;

/**
 * Returns the request whose estimate an adjustment corrects.
 * Returns undefined if the entry is no such adjustment.
 */
export const requestOfDifference = (entryId: string): string | undefined =>
  DIFFERENCE.test(entryId) ? entryId.replace(DIFFERENCE, 'req_') : undefined;

/** Returns the entry id for an entry, request or answer id. */
export const entryIdOf = (id: string): string => (id.startsWith('ent_') ? id : id.replace(PREFIX, 'ent_'));

/** Returns the request id for an entry, request or answer id. */
export const requestIdOf = (id: string): string => entryIdOf(id).replace(/^ent_/, 'req_');
