import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf } from '../../../base/json/read-json.ts';

/** Reports whether a client uses `functions`, the predecessor of `tools`. An empty list of tools is none. */
export const usesFunctions = ({ functions, tools }: JsonObject): boolean =>
  Array.isArray(functions) && listOf(tools).length === 0;
