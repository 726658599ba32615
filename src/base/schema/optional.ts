import type { TSchema } from 'typebox';
import { orNull } from './or-null.ts';
import { Type } from './type.ts';

/** Returns the schema of an optional field. Clients send null for fields that they leave out. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(orNull(schema));
