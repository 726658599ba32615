import type { TObject, TProperties, TSchema } from 'typebox';
import { Type } from '../../base/schema/type.ts';

/** Adds a title and descriptions of the fields to a request's schema. */
export function describeFields<T extends TProperties>(
  schema: TObject<T>,
  title: string,
  texts: Readonly<Partial<Record<keyof T, string>>>,
): TSchema {
  const properties = Object.entries(schema.properties as TProperties).map(([name, field]) => [
    name,
    Type.Unsafe({ ...field, description: texts[name as keyof T] }),
  ]);
  return Type.Unsafe({ ...schema, title, properties: Object.fromEntries(properties) });
}
