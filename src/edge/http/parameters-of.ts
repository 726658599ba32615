import type { TObject } from 'typebox';
import type { RouteParameter } from './route.ts';

/** Describes the parameters of a query. The properties of its schema have their descriptions. */
export function parametersOf({ properties, required }: TObject): RouteParameter[] {
  const requiredNames: readonly string[] = required ?? [];
  return Object.entries(properties).map(
    ([name, { description = '', ...schema }]: [string, Described]): RouteParameter => ({
      name,
      description,
      schema,
      isRequired: requiredNames.includes(name),
    }),
  );
}

type Described = { description?: string };
