import type { TSchema } from 'typebox';
import { Type } from './type.ts';

/** The schema of a value that can be null. */
export const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
