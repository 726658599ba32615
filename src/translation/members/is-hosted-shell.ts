import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';

/** Reports whether the vendor runs a shell. A shell without a container runs at the client. */
export function isHostedShell({ environment }: JsonObject): boolean {
  const { type } = objectOf(environment);
  return type !== undefined && type !== 'local';
}
