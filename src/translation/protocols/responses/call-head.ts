import type { JsonObject } from '../../../base/json/json-body.ts';
import { textOf } from '../../../base/json/read-json.ts';
import type { GrowingHead } from './decoder-state.ts';

export const isCall = ({ type }: JsonObject): boolean =>
  type === 'function_call' || type === 'custom_tool_call';

/** Returns the head of a call. Hosts that imitate the vendor can omit the call's own id. */
export function callHead(item: JsonObject): GrowingHead {
  const itemId = textOf(item.id);
  const namespace = textOf(item.namespace);
  return {
    kind: 'tool-call',
    callId: textOf(item.call_id) ?? itemId ?? '',
    ...(itemId !== undefined && { itemId }),
    name: textOf(item.name) ?? '',
    ...(namespace !== undefined && namespace !== '' && { namespace }),
    inputKind: item.type === 'custom_tool_call' ? 'freeform' : 'json',
  };
}
