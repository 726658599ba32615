/** A request's id, or that of its answer in any dialect (`msg_…`, `chatcmpl-…`): all end with the same random characters. */
const PREFIX = /^[a-z]+[_-](?=[0-9A-Za-z]+$)/;

/** One entry for one request: who has one of the two ids finds the other. */
export const usageEntryId = (requestId: string): string =>
  `ent_${requestId.slice(requestId.indexOf('_') + 1)}`;

/** The entry that an id is of, or that the request or the answer of this id is charged by. */
export const entryIdOf = (id: string): string => (id.startsWith('ent_') ? id : id.replace(PREFIX, 'ent_'));
