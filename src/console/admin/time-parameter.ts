import { Refusal } from '../../base/errors/refusal.ts';
import { parseTimeParameter } from '../../base/lib/iso-time.ts';

/** Reads a time of a query, in milliseconds. Undefined: the query does not have it. */
export function timeParameter(parameters: URLSearchParams, name: string): number | undefined | Refusal {
  const said = parameters.get(name);
  if (said === null) return undefined;
  const time = parseTimeParameter(said);
  if (time !== undefined) return time;
  const message = `${name} must be a time like 2026-11-22T10:00:00Z.`;
  return new Refusal('invalid_request', { param: name, message });
}
