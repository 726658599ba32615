import { expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { openResponseGateway } from '../support/open-response-gateway.ts';

const { read, made, sent, client } = await openResponseGateway();

test('lists input items page by page [STO-22]', async () => {
  const input = ['a', 'b', 'c'].map((content) => ({ role: 'user', content: `say: ${content}` }));
  const first = await made({ input });
  const texts = async (id: string, query: object) => {
    const found: string[] = [];
    for await (const item of client().responses.inputItems.list(id, query))
      found.push((item as Json).content[0].text);
    return found;
  };
  expect(await texts(first.body.id, { order: 'asc', limit: 2 })).toEqual(['say: a', 'say: b', 'say: c']);
  expect(await texts(first.body.id, { limit: 1 })).toEqual(['say: c', 'say: b', 'say: a']);
  const page = await read(first.body.id, { query: '/input_items?limit=2&order=asc' });
  const [one, two] = page.body.data;
  expect(page.body).toEqual({
    object: 'list',
    data: [one, two],
    first_id: one.id,
    last_id: two.id,
    has_more: true,
  });
  expect(one).toMatchObject({ type: 'message', role: 'user', id: one.id });
  expect(one.id).toStartWith('msg_');
  const next = await made({ input: 'say: d', previous_response_id: first.body.id });
  expect(await texts(next.body.id, { order: 'asc' })).toEqual([
    'say: a',
    'say: b',
    'say: c',
    '[simulated] a\n\nsay: b\n\nsay: c',
    'say: d',
  ]);
  await made({ input: [{ type: 'item_reference', id: one.id }] });
  expect(sent()).toContain('say: a');
  for (const [query, param] of [
    ['limit=0', 'limit'],
    ['order=up', 'order'],
    ['after=msg_no', 'after'],
  ])
    expectRefusal(
      await read(first.body.id, { query: `/input_items?${query}` }),
      400,
      'invalid_request',
      param!,
    );
});

test('continues a page after any item, and returns long items whole [STO-22]', async () => {
  const long = 'long '.repeat(30_000);
  const items = [
    { role: 'user', content: 'say: a', id: 'msg_mine' },
    {
      role: 'assistant',
      content: [{ type: 'output_text', text: long, annotations: [] }],
      id: 'msg_"quoted"',
    },
    { role: 'user', content: long },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', status: 'incomplete' },
    { type: 'function_call_output', call_id: 'c', output: 'rain' },
  ];
  const first = await made({ input: items });
  const second = await made({ input: 'say: b', previous_response_id: first.body.id });
  const third = await made({ input: 'say: c', previous_response_id: second.body.id });
  const all = await read(third.body.id, { query: '/input_items?order=asc&limit=100' });
  expect(all.body.data.map(({ type, status }: Json) => [type, status])).toEqual([
    ['message', 'completed'],
    ['message', 'completed'],
    ['message', 'completed'],
    ['function_call', 'incomplete'],
    ['function_call_output', 'completed'],
    ...Array.from({ length: 4 }, () => ['message', 'completed']),
  ]);
  expect(all.body.data[1].content[0].text).toBe(long);
  expect(all.body.data[2].content).toEqual([{ type: 'input_text', text: long }]);
  const ids: string[] = all.body.data.map(({ id }: Json) => id);
  expect(ids.slice(0, 2)).toEqual(['msg_mine', 'msg_"quoted"']);
  expect(ids[5]).toBe(first.body.output[0].id);
  expect(ids[3]).toStartWith('fc_');
  for (const order of ['asc', 'desc']) {
    const ordered = order === 'asc' ? all.body.data : all.body.data.toReversed();
    for (const [at, { id }] of ordered.entries()) {
      const page = await read(third.body.id, {
        query: `/input_items?order=${order}&limit=2&after=${encodeURIComponent(id)}`,
      });
      const data = ordered.slice(at + 1, at + 3);
      expect(page.body).toEqual({
        object: 'list',
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: at + 3 < ordered.length,
      });
    }
  }
  await made({
    input: [
      { type: 'item_reference', id: ids[2] },
      { role: 'user', content: 'say: d' },
    ],
  });
  expect(sent()).toContain(long);
});
