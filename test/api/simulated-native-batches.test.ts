import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { batchClient, type Flavor, flavors } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

// Native batches against `tollgate simulate`, through the gateway's own clients of both vendors.

const simulator = serveSimulator();
const refusing = 'simulated!status=400';
const wires = ['anthropic-messages', 'openai-chat', 'openai-responses'] as const;
const priced = {
  native_batch_pricing_usd_per_mtok: { input: 0.5, output: 2 },
  extras_usd: { cache_write_1h: 2 },
};
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: wires.map((wire) => ({
      id: `to-${wire}`,
      wire,
      batch: 'native',
      base_url: `${simulator.url}/v1`,
      api_key: 'any',
    })),
    catalog: {
      default: false,
      models: wires.flatMap((wire) => [
        ableModel(wire, [{ provider: `to-${wire}`, model: 'simulated' }], priced),
        ableModel(`refusing-${wire}`, [{ provider: `to-${wire}`, model: refusing }]),
      ]),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
});
const { key, account } = await server.createKey('enterprise');
const USD = 500_000_000;

const textOf = ({ name }: Flavor, result: Json): string =>
  name === 'messages'
    ? result.message.content.find((block: Json) => block.type === 'text').text
    : result.response.choices[0].message.content;
const tokensOf = ({ name }: Flavor, result: Json): [input: number, output: number] => {
  const { usage } = name === 'messages' ? result.message : result.response;
  return [usage.input_tokens ?? usage.prompt_tokens, usage.output_tokens ?? usage.completion_tokens];
};
const entries = async (limit: number): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/ledger?limit=${limit}`)).body.data;

describe.each(flavors)('the $name collection', (flavor) => {
  const client = batchClient(server, { flavor, key });
  const run = async (requests: Json[]): Promise<Record<string, Json>> => {
    const batch = await client.create([], { fields: { processing_mode: 'native-required', requests } });
    const ended = await client.ended(batch.id);
    expect(ended.request_counts.processing).toBe(0);
    return client.lines(batch.id);
  };
  const saying = (model: string, content: string, fields: Json = {}): Json =>
    flavor.params(model, { messages: [{ role: 'user', content }], ...fields });

  test.each(
    wires,
  )('completes natively on %s, and the ledger has the tokens of the results [BAT-60]', async (model) => {
    const words = ['one', 'two', 'three'];
    const lines = await run(
      words.map((word) => ({ custom_id: word, params: saying(model, `say: ${word}`) })),
    );
    for (const word of words) {
      expect(lines[word]).toMatchObject({ type: 'succeeded' });
      expect(textOf(flavor, lines[word]!)).toBe(`[simulated] ${word}`);
    }
    const costs = words.map((word) => {
      const [input, output] = tokensOf(flavor, lines[word]!);
      return Math.round(((input * 0.5 + output * 2) / 1e6) * USD);
    });
    const charged = (await entries(3)).map(({ model: name, microcredits }) => [name, microcredits]);
    expect(charged.sort()).toEqual(costs.map((cost) => [model, cost]).sort());
  });

  test.each(wires)('has tool calls and refused items on %s', async (model) => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const tools =
      flavor.name === 'messages'
        ? [{ name: 'weather', input_schema: parameters }]
        : [{ type: 'function', function: { name: 'weather', parameters } }];
    const lines = await run([
      { custom_id: 'call', params: saying(model, 'call weather with {"city":"Rome"}', { tools }) },
      { custom_id: 'bad', params: { ...saying(model, 'x'), messages: 7 } },
    ]);
    expect(JSON.stringify(lines['call'])).toContain('Rome');
    expect(lines['call']!.type).toBe('succeeded');
    expect(lines['bad']!.type).toBe('errored');
  });
  test.each(wires)("has the provider's refusal of an item on %s", async (model) => {
    const lines = await run([{ custom_id: 'no', params: saying(`refusing-${model}`, 'x') }]);
    expect(lines['no']).toMatchObject({
      type: 'errored',
      error: { error: { type: 'invalid_request_error' } },
    });
  });
});

test('long cache lifetimes are billed at half of their price, and the result names the batch tier [BAT-71]', async () => {
  const [flavor] = flavors;
  const client = batchClient(server, { flavor: flavor!, key });
  const system = [
    { type: 'text', text: 'word '.repeat(3_000), cache_control: { type: 'ephemeral', ttl: '1h' } },
  ];
  const params = flavor!.params('anthropic-messages', { system });
  const batch = await client.create([], {
    fields: { processing_mode: 'native-required', requests: [{ custom_id: 'a', params }] },
  });
  await client.ended(batch.id);
  const { usage } = (await client.lines(batch.id))['a']!.message;
  const written = usage.cache_creation.ephemeral_1h_input_tokens;
  expect(usage.service_tier).toBe('batch');
  expect(written).toBeGreaterThan(2_000);
  const [entry] = await entries(1);
  expect(entry!.receipt.prices).toContainEqual(
    expect.objectContaining({ kind: 'cache_write_1h', tokens: written, usd_per_mtok: 1 }),
  );
  const cost = (written + usage.input_tokens * 0.5 + usage.output_tokens * 2) / 1e6;
  expect(entry!.microcredits).toBe(Math.round(cost * USD));
});
