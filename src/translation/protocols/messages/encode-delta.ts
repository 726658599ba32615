import type { Fields } from '../../../base/schema/json-type.ts';
import type { PartDelta } from '../../canonical/event.ts';
import type { ReplayToken } from '../../canonical/part.ts';
import { encodeCitation } from './encode-citation.ts';
import { signatureOf } from './signature-blocks.ts';
import type { ThinkingView } from './thinking-view.ts';

/** Encodes a delta. Returns undefined for one that the client does not get, or not as a delta. */
export function encodeDelta(delta: PartDelta, view: ThinkingView): Fields | undefined {
  if ('text' in delta && delta.text === '') return undefined;
  switch (delta.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text_delta', text: delta.text };
    case 'thinking':
      return view === 'whole' ? { type: 'thinking_delta', thinking: delta.text } : undefined;
    case 'tool-input':
      return inputDelta(delta.text);
    case 'citation': {
      const citation = encodeCitation(delta.citation);
      return citation === undefined ? undefined : { type: 'citations_delta', citation };
    }
    case 'replay-token':
    case 'opaque':
      return undefined;
  }
}

export const inputDelta = (text: string): Fields => ({ type: 'input_json_delta', partial_json: text });

export const signatureDelta = (token: ReplayToken | undefined): Fields => ({
  type: 'signature_delta',
  signature: signatureOf(token),
});
