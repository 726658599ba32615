import { expect } from 'bun:test';
import { keysOf } from '../../src/base/lib/records.ts';
import { answerAnyWire } from './answer-any-wire.ts';
import { type Answer, bearer, type Json } from './call.ts';
import { startRecordingUpstream } from './recording-upstream.ts';
import { startServer } from './start-server.ts';
import { ableModel } from './wire-models.ts';

export type Fields = Record<string, unknown>;

const wires = ['openai-chat', 'anthropic-messages', 'openai-responses', 'openai-completions'] as const;
export type MemberWire = (typeof wires)[number];

export type MemberDialect = {
  path: string;
  /** The wire that takes the request unchanged, and one that needs a translation. */
  own: MemberWire;
  other: MemberWire;
  base: Fields;
  /** Makes a turn with these parts. */
  says: (parts: Json[]) => Fields;
};

const turn = (content: Json) => ({ messages: [{ role: 'user', content }] });

export type DialectName = 'chat' | 'messages' | 'responses' | 'completions';

export const memberDialects: Record<DialectName, MemberDialect> = {
  chat: {
    path: '/v1/chat/completions',
    own: 'openai-chat',
    other: 'anthropic-messages',
    base: turn('hi'),
    says: turn,
  },
  messages: {
    path: '/v1/messages',
    own: 'anthropic-messages',
    other: 'openai-chat',
    base: { max_tokens: 50, ...turn('hi') },
    says: turn,
  },
  responses: {
    path: '/v1/responses',
    own: 'openai-responses',
    other: 'openai-chat',
    base: { input: 'hi' },
    says: (content) => ({ input: [{ role: 'user', content }] }),
  },
  completions: {
    path: '/v1/completions',
    own: 'openai-completions',
    other: 'openai-chat',
    base: { prompt: 'hi' },
    says: () => ({}),
  },
};

export const dialectNames = keysOf(memberDialects);

/** The settings of a kind of providers, and of the models on them. */
type Kind = { provider?: Fields; model?: Fields };

/** Starts a server with a provider and a model of each kind for each wire. A model is named `KIND-WIRE`. */
export async function startMemberServer(
  kinds: Record<string, Kind>,
  config: { models?: object[]; [section: string]: unknown } = {},
) {
  const upstream = startRecordingUpstream();
  const { models = [], ...sections } = config;
  const places = Object.entries(kinds).flatMap(([kind, rows]) =>
    wires.map((wire) => ({ id: `${kind}-${wire}`, wire, ...rows })),
  );
  const server = await startServer({
    config: {
      simulator: { mode: 'off' },
      providers: places.map(({ id, wire, provider }) => ({
        id: `hidden-${id}`,
        wire,
        base_url: upstream.url,
        ...provider,
      })),
      catalog: {
        default: false,
        models: [
          ...places.map(({ id, model }) =>
            ableModel(id, [{ provider: `hidden-${id}`, model: `hidden-${id}` }], model),
          ),
          ...models,
        ],
      },
      ...sections,
    },
  });
  for (const { id } of places) upstream.answer(`hidden-${id}`, answerAnyWire);
  const { key } = await server.createKey('enterprise');

  /** Removes all earlier requests from the upstream's record. */
  const ask = (
    name: DialectName,
    model: string,
    fields: Fields,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const { path, base } = memberDialects[name];
    upstream.forget();
    const body = { model, ...base, ...fields };
    return server.call(path, { headers: { ...bearer(key), ...headers }, body });
  };

  return {
    server,
    upstream,
    key,
    ask,
    /** Sends a request that must be answered. Returns the upstream's request. */
    async sent(name: DialectName, model: string, fields: Fields, headers?: Record<string, string>) {
      const answer = await ask(name, model, fields, headers);
      expect({ model, status: answer.status, message: answer.body?.error?.message }).toEqual({
        model,
        status: 200,
        message: undefined,
      });
      const request = upstream.requests[0]!;
      const losses = answer.headers.get('x-svc-translation-losses');
      return { body: request.body, headers: request.headers, losses, answer };
    },
    /** Expects a refusal that names the field, without an upstream call. */
    expectRefused(answer: Answer, status: 400 | 422, place: string): string {
      const { param, message } = answer.body.error;
      // The messages dialect has no such member: there the path begins the message.
      const named = param === undefined ? message.split(': ')[0] : param;
      const code = answer.headers.get('x-svc-error-code');
      const expected = status === 422 ? 'route_not_qualified' : 'invalid_request';
      expect({ status: answer.status, code, named }).toEqual({ status, code: expected, named: place });
      expect(upstream.requests).toEqual([]);
      return message;
    },
    stop: async () => {
      await server.stop();
      await upstream.stop();
    },
  };
}
