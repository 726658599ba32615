// biome-ignore lint/suspicious/noExplicitAny: foreign JSON
export type Json = any;

/** A complete answer. `body` is the parsed JSON, and undefined if the text is not JSON. */
export type Answer = { status: number; headers: Headers; text: string; body: Json };

export type CallOptions = {
  method?: string;
  headers?: Record<string, string>;
  /** Text and bytes are sent unchanged, and other values as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  /** The client calls it when status and headers have arrived, before the body. */
  begun?: (() => void) | undefined;
};

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The server compresses its documents as small as it can, which costs seconds for all of them. */
const PLAIN = { 'accept-encoding': 'identity' };

/** Sends one request and returns its whole answer. A request with a body is a POST. */
export async function call(
  url: string,
  { method, headers, body, signal, begun }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...PLAIN, ...headers },
    redirect: 'manual',
    ...(signal && { signal }),
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  begun?.();
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** Makes a small chat request. */
export const chatBody = (model: string, fields: Record<string, unknown> = {}) => ({
  model,
  messages: [{ role: 'user', content: 'hello' }],
  ...fields,
});
