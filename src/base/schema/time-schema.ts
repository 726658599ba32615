import { ISO_TIME } from '../lib/iso-time.ts';
import { Type } from './type.ts';

/** A time in an answer. */
export const time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });

/** A time in a request. */
export const writtenTime = Type.String({ pattern: ISO_TIME, expected: 'an ISO 8601 time' });

/** Returns the schema of a time in a query. */
export const queryTime = (description: string) =>
  Type.Optional(Type.String({ pattern: ISO_TIME, expected: 'an ISO 8601 time', description }));
