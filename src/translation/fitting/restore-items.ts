import assert from 'node:assert';
import { isTooDeep } from '../../base/json/is-too-deep.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';
import type { StreamEvent } from '../canonical/event.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { packRecap } from '../encoding/recap.ts';
import { type VendorTool, vendorTool } from '../encoding/vendor-tools.ts';

type Events = (event: StreamEvent) => StreamEvent[];

/**
 * Restores the vendor's own items in an answer from another wire: its calls, or the compaction of the
 * conversation, sealed with the key. It is the inverse of fitRequest.
 */
export function restoreItems(
  { tools, compacts }: Pick<CanonicalRequest, 'tools' | 'compacts'>,
  recapKey: Uint8Array | undefined,
): Events {
  if (compacts) {
    assert(recapKey, 'an answer that can be a compaction has a key');
    return compactedAnswer(recapKey);
  }
  const standIns = new Map<string, VendorTool>();
  for (const tool of tools) {
    if (tool.kind !== 'function' || tool.standsFor === undefined) continue;
    const ofVendor = vendorTool(tool.standsFor);
    if (ofVendor) standIns.set(tool.name, ofVendor);
  }
  return standIns.size === 0 ? (event) => [event] : restoredCalls(standIns);
}

/** Restores calls. A call becomes an item as a whole, since its members are known only at its end. */
function restoredCalls(standIns: ReadonlyMap<string, VendorTool>): Events {
  const open = new Map<number, { callId: string; tool: VendorTool; text: string }>();
  return (event) => {
    if (!('index' in event)) return [event];
    const { index } = event;
    if (event.type === 'part-start') {
      const { part } = event;
      const tool = part.kind === 'tool-call' ? standIns.get(part.name) : undefined;
      if (part.kind !== 'tool-call' || tool === undefined) return [event];
      open.set(index, { callId: part.callId, tool, text: '' });
      return [];
    }
    const call = open.get(index);
    if (call === undefined) return [event];
    if (event.type === 'part-delta') {
      if (event.delta.kind === 'tool-input') call.text += event.delta.text;
      return [];
    }
    open.delete(index);
    const { callId, tool, text } = call;
    const item = {
      id: `${tool.prefix}_${callId}`,
      type: tool.call,
      status: 'completed',
      call_id: callId,
      ...tool.members(inputOf(text)),
    };
    return [wholePart(index, item), event];
  };
}

function inputOf(text: string): JsonObject {
  try {
    return isTooDeep(text) ? {} : objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

const wholePart = (index: number, block: JsonObject): StreamEvent => ({
  type: 'part-start',
  index,
  part: { kind: 'opaque', issuer: 'responses', block },
});

/** The text of the answer becomes the only item. */
function compactedAnswer(recapKey: Uint8Array): Events {
  let responseId = '';
  let summary = '';
  return (event) => {
    if (event.type === 'response-start') responseId = event.responseId;
    if (event.type === 'part-delta' && event.delta.kind === 'text') summary += event.delta.text;
    if (event.type !== 'response-end') return 'index' in event ? [] : [event];
    // Without a summary the client keeps its conversation.
    if (summary.trim() === '') return [event];
    const id = `cmp_${responseId.replace(/^[a-z]+[-_]/, '')}`;
    const item = { id, type: 'compaction', encrypted_content: packRecap(summary, recapKey) };
    return [wholePart(0, item), { type: 'part-end', index: 0 }, event];
  };
}
