import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf } from '../../base/json/read-json.ts';

/** Reports whether a request has tools, in any dialect. */
export const hasTools = ({ tools, functions }: JsonObject): boolean =>
  listOf(tools).length > 0 || listOf(functions).length > 0;
