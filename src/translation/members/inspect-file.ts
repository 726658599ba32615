import type { JsonObject } from '../../base/json/json-body.ts';
import { textOf } from '../../base/json/read-json.ts';
import { inspectAddress } from './inspect-address.ts';
import type { Inspection } from './inspection.ts';
import { KEPT_ADDRESS } from './kept-address.ts';

/** Inspects the address of a file in one of Google's protocols. */
export function inspectFile(holder: JsonObject, member: string, inspection: Inspection): void {
  const address = textOf(holder[member]);
  if (address === undefined) return;
  if (KEPT_ADDRESS.test(address)) {
    inspection.reserve('file_id', member);
    return;
  }
  inspection.steps.push(member);
  inspectAddress(address, inspection);
  inspection.steps.pop();
}
