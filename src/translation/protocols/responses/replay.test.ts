import { expect, test } from 'bun:test';
import type { OutputPart } from '../../canonical/part.ts';
import { bodyOf, headsWith } from '../testing/heads-with.ts';
import { responsesDialect } from './responses-dialect-codec.ts';

const headOf = headsWith('resp_123');

const include = ['reasoning.encrypted_content'];
const own = { issuer: 'responses', itemId: 'rs_up', data: 'sealed' } as const;
const foreign = { issuer: 'messages', data: 'signature' } as const;

/** Decodes the next request, in which the client returns an answer's items unchanged. */
function replayed(parts: OutputPart[], { visible }: { visible: boolean }): unknown {
  const head = headOf(visible ? { thinking: { mode: 'default', effortIsRequired: true, visible } } : {}, {
    include,
  });
  const answer = { responseId: 'r', model: 'm', parts, stop: { kind: 'end-turn' } } as const;
  const { output } = responsesDialect.encodeResponse(answer, head) as { output: unknown[] };
  const request = responsesDialect.decodeRequest(bodyOf({ model: 'm', input: output }));
  if ('code' in request) throw new Error(request.message);
  return request.turns[0]?.parts;
}

test('restores thinking of every vendor with its token', () => {
  const parts: OutputPart[] = [
    { kind: 'thinking', form: 'full', text: 'hm', replay: foreign },
    { kind: 'thinking', form: 'summary', text: 'ok', replay: own },
    { kind: 'thinking', form: 'summary', text: '', replay: foreign },
    { kind: 'redacted-thinking', replay: foreign },
    { kind: 'redacted-thinking', replay: { issuer: 'bedrock', itemId: 'x', data: 'hidden' } },
    { kind: 'text', text: 'yes' },
  ];
  expect(replayed(parts, { visible: true })).toEqual(parts);
});

test('restores hidden thinking as a token without text', () => {
  const parts: OutputPart[] = [
    { kind: 'thinking', form: 'full', text: 'hm', replay: foreign },
    { kind: 'text', text: 'yes' },
  ];
  expect(replayed(parts, { visible: false })).toEqual([
    { kind: 'thinking', form: 'summary', text: '', replay: foreign },
    { kind: 'text', text: 'yes' },
  ]);
});

test('restores calls and texts unchanged', () => {
  const parts: OutputPart[] = [
    { kind: 'text', text: 'a' },
    { kind: 'refusal', text: 'b' },
    {
      kind: 'tool-call',
      callId: 'c',
      name: 'f',
      namespace: 'n',
      input: { kind: 'json', text: '{"a": 1.0}' },
    },
    { kind: 'tool-call', callId: 'd', name: 'g', input: { kind: 'freeform', text: '' } },
    { kind: 'opaque', issuer: 'responses', block: { type: 'web_search_call', id: 'ws' } },
  ];
  const ids = ['fc_123_1', 'ctc_123_2'];
  expect(replayed(parts, { visible: false })).toEqual(
    parts.map((part) => (part.kind === 'tool-call' ? { ...part, itemId: ids.shift()! } : part)),
  );
});
