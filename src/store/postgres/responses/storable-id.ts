/**
 * An id as Postgres stores it. Providers and clients choose some ids, and Postgres stores no NUL and no half
 * of a surrogate pair.
 */
export const storableId = (id: string): string => id.toWellFormed().replaceAll('\0', '\ufffd');
