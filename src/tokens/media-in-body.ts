import type { Countable } from './countable.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The base64 of a data address; undefined where the bytes are elsewhere. */
function inlineData(address: unknown): string | undefined {
  if (typeof address !== 'string' || !address.startsWith('data:')) return undefined;
  return address.slice(address.indexOf(',') + 1);
}

const image = (data: string | undefined, detail: unknown): Countable => ({
  kind: 'image',
  data,
  detail: detail === 'low' || detail === 'high' ? detail : 'auto',
});

/** A file's data is a data address or its base64 alone. */
const file = (data: unknown): Countable => ({ kind: 'pdf', data: inlineData(data) ?? textOf(data) });

/** A document whose text stands in the body is read like any text: undefined. */
function documentIn({ source }: Fields): Countable | undefined {
  const { type, data } = fieldsOf(source);
  if (type === 'base64') return { kind: 'pdf', data: textOf(data) };
  return type === 'url' || type === 'file' ? { kind: 'pdf', data: undefined } : undefined;
}

function audioIn({ input_audio }: Fields): Countable {
  const { data, format } = fieldsOf(input_audio);
  return { kind: 'audio', data: textOf(data) ?? '', isWav: format === 'wav' };
}

/** Sealed thinking is its text, encrypted and in base64. */
const CHARACTERS_PER_SEALED_TOKEN = 6;

const sealed = (data: unknown): Countable => ({
  kind: 'tokens',
  tokens: Math.ceil((textOf(data)?.length ?? 0) / CHARACTERS_PER_SEALED_TOKEN),
});

const byType: Readonly<Record<string, (part: Fields) => Countable | undefined>> = {
  // messages
  image: ({ source }) => image(textOf(fieldsOf(source).data), undefined),
  document: documentIn,
  redacted_thinking: ({ data }) => sealed(data),
  // chat completions
  image_url: ({ image_url }) => image(inlineData(fieldsOf(image_url).url), fieldsOf(image_url).detail),
  file: (part) => file(fieldsOf(part.file).file_data),
  input_audio: audioIn,
  // responses
  input_image: ({ image_url, detail }) => image(inlineData(image_url), detail),
  input_file: ({ file_data }) => file(file_data),
};

/** What a part of a client's body is, where it is no text: whatever the dialect. */
export const mediaInBody = (part: Fields): Countable | undefined =>
  typeof part.type === 'string' && Object.hasOwn(byType, part.type) ? byType[part.type]!(part) : undefined;
