import type { TObject } from 'typebox';
import type { RouteParameter } from './route.ts';

type DescribedSchema = { description?: string };

/** Describes the parameters of a query. The properties of its schema have their descriptions. */
export function parametersOf({ properties, required }: TObject): RouteParameter[] {
  const requiredNames: readonly string[] = required ?? [];
  return Object.entries(properties).map(
    ([name, { description = '', ...schema }]: [string, DescribedSchema]): RouteParameter => ({
      name,
      description,
      schema,
      isRequired: requiredNames.includes(name),
    }),
  );
}
