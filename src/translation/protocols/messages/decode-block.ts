import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { PartDelta, PartHead } from '../../canonical/event.ts';
import type { Citation } from '../../canonical/part.ts';

/** The part that a block opens, and the deltas that its opening event already contains. */
type BlockOpening = { head: PartHead; deltas: PartDelta[] };

const openings: Readonly<Record<string, (block: Fields) => BlockOpening>> = {
  text: ({ text, citations }) => ({
    head: { kind: 'text' },
    deltas: [...piece('text', text), ...listOf(citations).map(citationDelta)],
  }),
  thinking: ({ thinking, signature }) => ({
    head: { kind: 'thinking', form: 'full' },
    deltas: [
      ...piece('thinking', thinking),
      ...(typeof signature === 'string' && signature !== '' ? [replayDelta(signature)] : []),
    ],
  }),
  redacted_thinking: ({ data }) => ({
    head: { kind: 'redacted-thinking', replay: { issuer: 'messages', data: textOf(data) ?? '' } },
    deltas: [],
  }),
  tool_use: ({ id, name }) => ({
    head: { kind: 'tool-call', callId: textOf(id) ?? '', name: textOf(name) ?? '', inputKind: 'json' },
    deltas: [],
  }),
};

/** Decodes the start of a block. Returns undefined for a block that only clients of this protocol know. */
export const decodeOpening = (block: Fields): BlockOpening | undefined =>
  lookUp(openings, textOf(block.type))?.(block);

/** The kind of part for each kind of delta. */
export const partKinds: Partial<Record<PartDelta['kind'], PartHead['kind']>> = {
  text: 'text',
  citation: 'text',
  thinking: 'thinking',
  'replay-token': 'thinking',
  'tool-input': 'tool-call',
};

const deltas: Readonly<Record<string, (delta: Fields) => PartDelta | undefined>> = {
  text_delta: ({ text }) => piece('text', text)[0],
  thinking_delta: ({ thinking }) => piece('thinking', thinking)[0],
  input_json_delta: ({ partial_json }) => piece('tool-input', partial_json)[0],
  citations_delta: ({ citation }) => citationDelta(citation),
  signature_delta: ({ signature }) => replayDelta(textOf(signature) ?? ''),
};

/** Decodes a delta. Returns undefined for an empty or unknown one. */
export const decodeDelta = (delta: Fields): PartDelta | undefined =>
  lookUp(deltas, textOf(delta.type))?.(delta);

const piece = (kind: 'text' | 'thinking' | 'tool-input', text: unknown): PartDelta[] =>
  typeof text === 'string' && text !== '' ? [{ kind, text }] : [];

export const replayDelta = (data: string): PartDelta => ({
  kind: 'replay-token',
  replay: { issuer: 'messages', data },
});

const citationDelta = (raw: unknown): PartDelta => ({ kind: 'citation', citation: citationOf(raw) });

/** Decodes a citation. Its raw form goes back to this vendor. */
export function citationOf(raw: unknown): Citation {
  const { url, title, document_title, cited_text } = objectOf(raw);
  const name = textOf(title) ?? textOf(document_title);
  return {
    issuer: 'messages',
    ...(typeof url === 'string' && { url }),
    ...(name !== undefined && { title: name }),
    ...(typeof cited_text === 'string' && { citedText: cited_text }),
    raw,
  };
}
