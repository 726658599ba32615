import { afterAll, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer } from '../support/call.ts';
import { dataOf, messagesBody } from '../support/messages-body.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, wirePrefix } from '../support/wire-models.ts';

/** The wires that distinguish a refusal from an answer. */
const wires = ['anthropic-messages', 'openai-chat', 'openai-responses'] as const;
const upstream = serveSimulator();
const server = await startServer({
  config: {
    providers: wires.map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url + wirePrefix[wire],
    })),
    catalog: {
      default: false,
      models: wires.map((wire) => ableModel(`on-${wire}`, [{ provider: `hidden-${wire}`, model: 'hidden' }])),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

test.each(wires)('a refusal on %s is the stop reason of a message [MSG-45]', async (wire) => {
  const ask = async (content: string, { stream }: { stream: boolean }) => {
    const body = messagesBody(`on-${wire}`, { stream, messages: [{ role: 'user', content }] });
    const { status, body: whole, text } = await server.call('/v1/messages', { headers: bearer(key), body });
    expect(status).toBe(200);
    return whole?.stop_reason ?? dataOf(text).find(({ type }) => type === 'message_delta').delta.stop_reason;
  };
  for (const stream of [false, true]) {
    expect(await ask('refuse: too hot', { stream })).toBe('refusal');
    expect(await ask('say: too hot', { stream })).toBe('end_turn');
  }
});
