import type { DocumentPart, ImagePart, MediaSource, Part, ReplayToken } from '../../../canonical/part.ts';
import type { Turn } from '../../../canonical/request.ts';
import type { RandomSource } from '../../testing/random-source.ts';

/** Texts that a careless encoder would change. */
export const words = ['', 'a', 'zwei "Wörter"', '{"x":1}', 'three\nlines\r\n\\n', '𝄞 \u2028'];

/** A part that only this protocol understands. */
export const opaque = {
  kind: 'opaque',
  issuer: 'responses',
  block: { type: 'web_search_call', id: 'ws_1' },
} as const;

/** Builds a part that a turn of this role can have. */
export function randomPart(random: RandomSource, role: Turn['role']): Part {
  if (role === 'system') return { kind: 'text', text: random.of(words) };
  if (random.below(8) === 0) return opaque;
  return role === 'user' ? randomUserPart(random) : randomAssistantPart(random);
}

const image = (random: RandomSource): ImagePart => ({
  kind: 'image',
  source: random.of<MediaSource>([
    { kind: 'url', url: 'https://a.test/b.png' },
    { kind: 'base64', mediaType: 'image/png', data: 'AAAA' },
    { kind: 'file', fileId: 'file-1' },
  ]),
  ...random.maybe({ detail: 'low' as const }),
});

const document = (random: RandomSource): DocumentPart => ({
  kind: 'document',
  ...random.of<{ source: DocumentPart['source']; filename?: string }>([
    { source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBE' }, filename: 'a.pdf' },
    { source: { kind: 'text', text: random.of(words) }, filename: 'a.txt' },
    { source: { kind: 'url', url: 'https://a.test/b.pdf' } },
    { source: { kind: 'file', fileId: 'file-1' } },
  ]),
});

const randomUserPart = (random: RandomSource): Part =>
  random.of<() => Part>([
    () => ({ kind: 'text', text: random.of(words) }),
    () => image(random),
    () => document(random),
    () => ({ kind: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: 'AAAA' } }),
    () => ({
      kind: 'tool-result',
      callId: 'c',
      ...random.maybe({ isFreeform: true }),
      content: random.of([
        [{ kind: 'text', text: random.of(words) }],
        [
          { kind: 'text', text: 'a' },
          { kind: 'text', text: '' },
        ],
        [image(random), { kind: 'text', text: 'a' }, document(random)],
      ]),
    }),
  ])();

const randomAssistantPart = (random: RandomSource): Part =>
  random.of<() => Part>([
    () => ({ kind: 'text', text: random.of(words) }),
    () => ({
      kind: 'text',
      text: 'cited',
      citations: [
        {
          issuer: 'responses',
          url: 'https://a.test/',
          raw: { type: 'url_citation', url: 'https://a.test/' },
        },
      ],
    }),
    () => ({ kind: 'refusal', text: 'no' }),
    () => randomThought(random),
    () => ({
      kind: 'tool-call',
      callId: 'c',
      ...random.maybe({ itemId: 'fc_1' }),
      name: 'f',
      ...random.maybe({ namespace: 'crm' }),
      input: random.of([
        { kind: 'json', text: '{"a": 1.0}' },
        { kind: 'freeform', text: random.of(words) },
      ]),
    }),
  ])();

function randomThought(random: RandomSource): Part {
  const replay: ReplayToken = { issuer: 'responses', ...random.maybe({ itemId: 'rs_1' }), data: 'sealed' };
  const text = random.of(words);
  const form = text === '' || random.chance() ? 'summary' : 'full';
  return { kind: 'thinking', form, text, replay };
}
