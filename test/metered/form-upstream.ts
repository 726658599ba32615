import type { Json } from '../support/call.ts';

export type FormRequest = {
  path: string;
  type: string;
  /** The texts of the form, or the members of JSON. */
  fields: Json;
  /** The hash of each file. */
  files: { field: string; name: string; type: string; bytes: number; hash: string }[];
  signal: AbortSignal;
};
export type FormAnswer = (request: FormRequest) => Response | Promise<Response>;

const headers = { server: 'hidden', 'x-request-id': 'hidden-request' };

/** Starts an upstream that reads forms and answers as its script for the model says. */
export function startFormUpstream() {
  const requests: FormRequest[] = [];
  const answers = new Map<string, FormAnswer>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    development: false,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      const read = await readRequest(request);
      requests.push(read);
      const answer = answers.get(read.fields.model);
      return answer ? answer(read) : Response.json({ error: { message: 'no script' } }, { status: 500 });
    },
    error: () => Response.json({ error: { message: 'hidden' } }, { status: 500 }),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port!,
    requests,
    answer: (model: string, how: FormAnswer) => void answers.set(model, how),
    stop: () => server.stop(true),
  };
}

async function readRequest(request: Request): Promise<FormRequest> {
  const { pathname: path } = new URL(request.url);
  const type = request.headers.get('content-type') ?? '';
  const read: FormRequest = { path, type, fields: {}, files: [], signal: request.signal };
  if (type.includes('json')) return { ...read, fields: await request.json() };
  for (const [field, value] of (await request.formData()) as unknown as Iterable<[string, string | File]>) {
    if (typeof value === 'string') read.fields[field] = value;
    else
      read.files.push({
        field,
        name: value.name,
        type: value.type,
        bytes: value.size,
        hash: String(Bun.hash(await value.arrayBuffer())),
      });
  }
  return read;
}

export const failing =
  (status: number, message = 'hidden trouble'): FormAnswer =>
  () =>
    Response.json({ error: { message, type: 'hidden', code: 'hidden', param: null } }, { status, headers });

export const json =
  (body: Json): FormAnswer =>
  () =>
    Response.json(body, { headers });

export const plain =
  (text: string, type = 'text/plain; charset=utf-8'): FormAnswer =>
  () =>
    new Response(text, { headers: { ...headers, 'content-type': type } });

/** Makes a stream of these events, which waits for `until` before the last one. */
export const events =
  (all: readonly object[], until?: Promise<void>): FormAnswer =>
  () =>
    new Response(
      new ReadableStream({
        async start(controller) {
          const encoder = new TextEncoder();
          for (const [at, event] of all.entries()) {
            if (at === all.length - 1) await until;
            controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
          }
          controller.close();
        },
      }),
      { headers: { ...headers, 'content-type': 'text/event-stream' } },
    );
