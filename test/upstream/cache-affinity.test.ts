import { afterAll, describe, expect, test } from 'bun:test';
import { bearer } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const places = [startRecordingUpstream(), startRecordingUpstream()];
const ids = ['hidden-one', 'hidden-other'];
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: places.map(({ url }, index) => ({ id: ids[index], wire: 'openai-chat', base_url: url })),
    catalog: {
      default: false,
      models: [
        ableModel(
          'placed',
          ids.map((provider) => ({ provider, model: 'hidden-placed' })),
        ),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await Promise.all(places.map((place) => place.stop()));
});
const { key } = await server.createKey('enterprise');

/** Counts the requests to each of the two. */
async function countsOf(path: string, body: object, times = 3): Promise<number[]> {
  for (const place of places) place.forget();
  for (let time = 0; time < times; time++) {
    const { status } = await server.call(path, { headers: bearer(key), body: { model: 'placed', ...body } });
    expect(status).toBe(200);
  }
  return places.map(({ requests }) => requests.length);
}

const messages = {
  path: '/v1/messages',
  body: { max_tokens: 99, messages: [{ role: 'user', content: 'hi' }] },
};
const responses = { path: '/v1/responses', body: { input: 'hi' } };
const hints = [
  {
    name: 'metadata.user_id [MSG-34]',
    ...messages,
    fields: (hint: string) => ({ metadata: { user_id: hint } }),
  },
  { name: 'prompt_cache_key [RSP-28]', ...responses, fields: (hint: string) => ({ prompt_cache_key: hint }) },
  {
    name: 'safety_identifier [RSP-29]',
    ...responses,
    fields: (hint: string) => ({ safety_identifier: hint }),
  },
  { name: 'user [RSP-29]', ...responses, fields: (hint: string) => ({ user: hint }) },
];
const conversations = Array.from({ length: 12 }, (_, number) => `conversation ${number}`);

describe('of two equal targets', () => {
  test.each(hints)('one serves all requests with the same $name', async ({ path, body, fields }) => {
    const seen: number[] = [];
    for (const conversation of conversations) {
      const counts = await countsOf(path, { ...body, ...fields(conversation) });
      expect({ conversation, counts: counts.toSorted() }).toEqual({ conversation, counts: [0, 3] });
      seen.push(counts.indexOf(3));
    }
    expect(new Set(seen).size).toBe(2);
  });

  test('prompt_cache_key has precedence over the user [RSP-29]', async () => {
    const { path, body } = responses;
    for (const conversation of conversations) {
      const alone = await countsOf(path, { ...body, prompt_cache_key: conversation }, 1);
      const others = { prompt_cache_key: conversation, safety_identifier: 'someone', user: 'somebody' };
      expect(await countsOf(path, { ...body, ...others }, 1)).toEqual(alone);
    }
  });
});
