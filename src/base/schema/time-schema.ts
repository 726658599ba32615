import { Type } from './type.ts';

/** A time in an answer. */
export const time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
