import type { TObject } from 'typebox';
import type { RouteParameter } from './route.ts';

/** Describes the parameters of a query. The properties of its schema have their descriptions. */
export const parametersOf = ({ properties }: TObject): RouteParameter[] =>
  Object.entries(properties).map(([name, { description = '', ...schema }]: [string, Described]) => ({
    name,
    description,
    schema,
  }));

type Described = { description?: string };
