import { afterAll, describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { Refusal } from '../../src/base/errors/refusal.ts';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { aiSpeakers } from '../support/ai-speakers.ts';
import { chatSpeaker } from '../support/chat-speaker.ts';
import { messagesSpeaker } from '../support/messages-speaker.ts';
import { responsesSpeaker } from '../support/responses-speaker.ts';
import type { Speaker } from '../support/speaker.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wireProviders } from '../support/wire-models.ts';

/** The client then has the first part, so later failures happen in the middle of the stream. */
const FAULT_DELAY_MS = 100;
const upstream = serveSimulator({ beforeFault: () => Bun.sleep(FAULT_DELAY_MS) });
const how = { fine: '', broken: '!status=500', breaking: '!error-after=6' };
const rowsOf = (wire: string) =>
  Object.entries(how).map(([name, misbehaviour]) =>
    ableModel(`${name}-on-${wire}`, [{ provider: `hidden-${wire}`, model: `hidden-m${misbehaviour}` }]),
  );
const server = await startServer({
  config: {
    providers: wireProviders(upstream.url, 'hidden-'),
    catalog: { default: false, models: chatWires.flatMap(rowsOf) },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const speakersWith = (apiKey: string): Speaker[] => {
  const openai = new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const anthropic = new Anthropic({ apiKey, authToken: null, baseURL: server.url, maxRetries: 0 });
  return [
    chatSpeaker(openai),
    responsesSpeaker(openai),
    messagesSpeaker(anthropic),
    ...aiSpeakers(server.url, apiKey),
  ];
};

// biome-ignore lint/suspicious/noExplicitAny: clients throw errors of many types
const failure = (asked: Promise<unknown>): Promise<any> =>
  asked.then(
    () => undefined,
    (error) => error,
  );
/** Clients name the status in different words. */
const statusOf = (error: { status?: number; statusCode?: number }) => error?.status ?? error?.statusCode;

const refusal = new Refusal('upstream_unavailable');
const cases = speakersWith(key).flatMap((speaker, at) =>
  chatWires.map((wire) => ({ name: speaker.name, speaker, at, wire })),
);

describe.each(cases)('$name on $wire', ({ speaker, at, wire }) => {
  const ask = (who: Speaker, model: string, { stream }: { stream: boolean }) =>
    who.ask({ model, messages: [who.user('count to 50')], stream });

  test("throws the gateway's error, with its status", async () => {
    const statuses = await Promise.all([
      failure(ask(speakersWith('svc_no')[at]!, `fine-on-${wire}`, { stream: false })),
      failure(ask(speaker, 'nothing', { stream: false })),
      failure(ask(speaker, `broken-on-${wire}`, { stream: false })),
    ]);
    expect(statuses.map(statusOf)).toEqual([401, 404, 503]);
  });

  test('throws the error event of a stream that breaks in the middle', async () => {
    const error = await failure(ask(speaker, `breaking-on-${wire}`, { stream: true }));
    expect(statusOf(error)).not.toBe(refusal.status); // the status of an answer that never began
    expect(`${error.message} ${JSON.stringify(error)}`).toContain(refusal.message);
  });
});
