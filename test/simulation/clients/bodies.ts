import type { Dialect } from './asked.ts';

type Fields = {
  model: string;
  marker: string;
  isStream: boolean;
  isStored: boolean;
  isOpen: boolean;
  isLong: boolean;
  conversation?: string | undefined;
};

/** The ceiling of an answer. Vendors stay below this number of tokens. */
const MAX_TOKENS = 40;

/** The words that make a prompt long. */
const MANY = ' please'.repeat(500);

const prompt = ({ marker, isLong }: Pick<Fields, 'marker' | 'isLong'>): string =>
  `${marker} is the name of this request. Please answer in a few short words.${isLong ? MANY : ''}`;

type Shape = {
  path: string;
  header(key: string): Record<string, string>;
  body(fields: Fields): Record<string, unknown>;
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** The request for an answer in each dialect. */
export const dialects: Record<Dialect, Shape> = {
  chat: {
    path: '/v1/chat/completions',
    header: bearer,
    body: ({ model, marker, isStream, isOpen, isLong }) => ({
      model,
      ...(!isOpen && { max_tokens: MAX_TOKENS }),
      messages: [{ role: 'user', content: prompt({ marker, isLong }) }],
      ...(isStream && { stream: true, stream_options: { include_usage: true } }),
    }),
  },
  messages: {
    path: '/v1/messages',
    header: (key) => ({ 'x-api-key': key }),
    body: ({ model, marker, isStream, isLong }) => ({
      model,
      max_tokens: MAX_TOKENS,
      messages: [{ role: 'user', content: prompt({ marker, isLong }) }],
      ...(isStream && { stream: true }),
    }),
  },
  responses: {
    path: '/v1/responses',
    header: bearer,
    body: ({ model, marker, isStream, isStored, isOpen, isLong, conversation }) => ({
      model,
      ...(conversation !== undefined && { conversation }),
      ...(!isOpen && { max_output_tokens: MAX_TOKENS }),
      input: prompt({ marker, isLong }),
      store: isStored,
      ...(isStream && { stream: true }),
    }),
  },
};

/** The fields of a request for a whole answer that is not stored. */
export const usual = { isStream: false, isStored: false, isOpen: false, isLong: false };

export const dialectNames = Object.keys(dialects) as Dialect[];

/** The dialects in which a request can be without a ceiling. */
export const openDialects = ['chat', 'responses'] as const satisfies readonly Dialect[];

/** Makes a batch on `/v1/messages/batches`, whose items have the markers as their names. */
export const batchBody = (model: string, markers: readonly string[]) => ({
  requests: markers.map((marker) => ({
    custom_id: marker,
    params: dialects.messages.body({ model, marker, ...usual }),
  })),
});
