import { describe, expect, test } from 'bun:test';
import { batchClient, chatFlavor, linesOf, messagesFlavor } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { openWorkHouse, strangersAt } from './work-house.ts';

const house = await openWorkHouse({ limits: { batch_concurrent: 1 } });
const { server, owner, account, at, key, sibling, stranger } = house;
const messages = batchClient(server, { flavor: messagesFlavor, key: key.key });
const chat = batchClient(server, { flavor: chatFlavor, key: sibling.key });
const foreign = batchClient(server, { flavor: chatFlavor, key: stranger.key });

const shown = async (id: string): Promise<Json> => (await owner.call(at(`/batches/${id}`))).body;

describe('batches in the dashboard', () => {
  test('shows the batches of all keys and both collections, with counts and costs', async () => {
    const first = await messages.create(['able', 'able', 'no-such-model']);
    const second = await chat.create(['able']);
    const other = await foreign.create(['able']);
    await Promise.all([messages.ended(first.id), chat.ended(second.id), foreign.ended(other.id)]);
    const { body } = await owner.call(at('/batches'));
    expect(body.has_more).toBe(false);
    expect(body.data.map(({ id }: Json) => id)).toEqual([second.id, first.id]);
    expect(body.data[1]).toMatchObject({
      ...{ collection: 'messages', account_id: account, key_id: key.id, processing_status: 'ended' },
      ...{ size: 3, request_counts: { succeeded: 2, errored: 1, processing: 0 }, can_delete: true },
    });
    expect(body.data[0]).toMatchObject({ collection: 'chat', can_delete: false });
    const entries = (await server.admin('GET', `/accounts/${account}/ledger`)).body.data;
    const charged = entries
      .filter((one: Json) => one.key_id === key.id)
      .reduce((sum: number, one: Json) => sum + one.microcredits / 1_000_000, 0);
    expect(charged).toBeGreaterThan(0);
    expect(body.data[1].credits).toBeCloseTo(charged, 6);
    expect(await shown(first.id)).toEqual(body.data[1]);
    const pages = [
      await owner.call(at('/batches?limit=1')),
      await owner.call(at(`/batches?after=${second.id}`)),
    ];
    expect(pages.map((page) => [page.body.data[0].id, page.body.has_more])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    expect((await owner.call(at(`/batches?after=${other.id}`))).status).toBe(400);
    expect((await owner.call(at('/batches?status=sometimes'))).status).toBe(400);
    expect((await owner.call(at('/batches?status=in_progress'))).body.data).toEqual([]);
  });

  test('shows the items in pages, with texts and errors, and sends all results', async () => {
    const { id } = await messages.create(['able', 'no-such-model', 'able']);
    await messages.ended(id);
    const page = (await owner.call(at(`/batches/${id}/items?limit=2`))).body;
    expect(page.has_more).toBe(true);
    expect(page.data[0]).toMatchObject({ number: 0, custom_id: 'item-0', status: 'succeeded', error: null });
    expect(page.data[0].answer).toContain('[simulated]');
    expect(page.data[1]).toMatchObject({ status: 'errored', answer: null, is_cut: false });
    expect(page.data[1].error.message).toContain('no-such-model');
    const rest = (await owner.call(at(`/batches/${id}/items?after=1`))).body;
    expect([rest.data.map(({ number }: Json) => number), rest.has_more]).toEqual([[2], false]);
    const file = await owner.call(at(`/batches/${id}/results`));
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${id}.jsonl"`);
    expect(file.text).toBe((await messages.results(id)).text);
    expect(linesOf(file.text)).toHaveLength(3);
  });

  test('cancels a batch in progress, and deletes where the API can', async () => {
    const { id } = await messages.create(
      Array.from({ length: 10 }, () => 'slow'),
      { fields: {} },
    );
    const early = await owner.call(at(`/batches/${id}/results`));
    expect([early.status, early.body.error.code]).toEqual([409, 'batch_not_ended']);
    expect((await owner.call(at(`/batches/${id}`), { method: 'DELETE' })).status).toBe(409);
    const items = (await owner.call(at(`/batches/${id}/items`))).body.data;
    expect(items.some(({ status }: Json) => status === 'queued' || status === 'running')).toBe(true);
    const canceled = await owner.call(at(`/batches/${id}/cancel`), { method: 'POST' });
    expect(['canceling', 'ended']).toContain(canceled.body.processing_status);
    const { request_counts } = await messages.ended(id);
    expect(request_counts.canceled).toBeGreaterThan(0);
    const deleted = await owner.call(at(`/batches/${id}`), { method: 'DELETE' });
    expect(deleted.body).toEqual({ id, deleted: true });
    expect((await owner.call(at(`/batches/${id}`))).status).toBe(404);
    const kept = await chat.create(['able']);
    await chat.ended(kept.id);
    expect((await owner.call(at(`/batches/${kept.id}`), { method: 'DELETE' })).status).toBe(409);
  });

  test('another organization and nobody see no batch', async () => {
    const { id } = await foreign.create(['able']);
    await foreign.ended(id);
    for (const path of [`/batches/${id}`, `/batches/${id}/items`, `/batches/${id}/results`])
      expect([path, (await owner.call(at(path))).status]).toEqual([path, 404]);
    for (const method of ['DELETE', 'POST']) {
      const path = method === 'POST' ? `/batches/${id}/cancel` : `/batches/${id}`;
      expect((await owner.call(at(path), { method })).status).toBe(404);
      expect(await strangersAt(house, { method, path })).toEqual([401, 401, 404]);
    }
    for (const path of ['/batches', `/batches/${id}`, `/batches/${id}/items`, `/batches/${id}/results`])
      expect(await strangersAt(house, { path })).toEqual([401, 401, 404]);
    expect((await foreign.view(id)).processing_status).toBe('ended');
  });
});
