import { describe, expect, test } from 'bun:test';
import { batchClient, chatFlavor, linesOf, messagesFlavor } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { waitFor } from '../support/wait-for.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { browserTest, expectSound, fullBrowserTest, useBrowser } from './support/use-browser.ts';
import { openWorkGateway, strangersAt } from './work-gateway.ts';

const gateway = await openWorkGateway({ limits: { batch_concurrent: 1 } });
const { server, owner, people, account, at, key, sibling, stranger } = gateway;
const messages = batchClient(server, { flavor: messagesFlavor, key: key.key });
const chat = batchClient(server, { flavor: chatFlavor, key: sibling.key });
const foreign = batchClient(server, { flavor: chatFlavor, key: stranger.key });

const readBatch = async (id: string): Promise<Json> => (await owner.call(at(`/batches/${id}`))).body;

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
      collection: 'messages',
      account_id: account,
      key_id: key.id,
      processing_status: 'ended',
      size: 3,
      request_counts: { succeeded: 2, errored: 1, processing: 0 },
      can_delete: true,
    });
    expect(body.data[0]).toMatchObject({ collection: 'chat', can_delete: false });
    const entries = (await server.admin('GET', `/accounts/${account}/ledger`)).body.data;
    const charged = entries
      .filter((one: Json) => one.key_id === key.id)
      .reduce((sum: number, one: Json) => sum + one.microcredits / 1_000_000, 0);
    expect(charged).toBeGreaterThan(0);
    expect(body.data[1].credits).toBeCloseTo(charged, 6);
    expect(await readBatch(first.id)).toEqual(body.data[1]);
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
    expect(rest.data.map(({ number }: Json) => number)).toEqual([2]);
    expect(rest.has_more).toBe(false);
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
    expect(early).toMatchObject({ status: 409, body: { error: { code: 'batch_not_ended' } } });
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

  test('another organization and nobody see no batch, and a viewer changes none', async () => {
    const { id } = await foreign.create(['able']);
    await foreign.ended(id);
    for (const path of [`/batches/${id}`, `/batches/${id}/items`, `/batches/${id}/results`])
      expect({ path, status: (await owner.call(at(path))).status }).toEqual({ path, status: 404 });
    for (const method of ['DELETE', 'POST']) {
      const path = method === 'POST' ? `/batches/${id}/cancel` : `/batches/${id}`;
      expect((await owner.call(at(path), { method })).status).toBe(404);
      expect(await strangersAt(gateway, { method, path })).toEqual([401, 401, 404, 403]);
    }
    const own = await chat.create(['able']);
    await chat.ended(own.id);
    for (const path of ['', `/${own.id}`, `/${own.id}/items`])
      expect(await strangersAt(gateway, { path: `/batches${path}` })).toEqual([401, 401, 404, 200]);
    const results = { path: `/batches/${own.id}/results` };
    expect(await strangersAt(gateway, results)).toEqual([401, 401, 404, 403]);
    expect((await foreign.view(id)).processing_status).toBe('ended');
  });
});

test('each reading of results is in the audit log, and a viewer sees states alone [ADM-50]', async () => {
  const { id } = await chat.create(['able', 'no-such-model']);
  await chat.ended(id);
  const items = at(`/batches/${id}/items`);
  const seen = (await people.viewer.call(items)).body;
  expect([seen.content_shown, seen.data.map(({ status }: Json) => status)]).toEqual([
    false,
    ['succeeded', 'errored'],
  ]);
  expect(JSON.stringify(seen)).not.toContain('[simulated]');
  const audit = async (): Promise<Json[]> => (await server.admin('GET', `/audit?target=${id}`)).body.data;
  expect(await audit()).toEqual([]);
  expect((await owner.call(items)).body.content_shown).toBe(true);
  await owner.call(at(`/batches/${id}/results`));
  expect((await audit()).map(({ action, actor, after }) => [action, actor, after.kind, after.part])).toEqual([
    ['content-read', 'owner@ours.example', 'batch', 'results'],
    ['content-read', 'owner@ours.example', 'batch', 'items 0 to 0'],
  ]);
});

test('keeps the content of items where an operator turned payload logging on', async () => {
  const contentOf = async (item: Json) => (await owner.call(at(`/requests/${item.request_id}/content`))).body;
  const switched = (enabled: boolean) =>
    server.admin('PATCH', `/accounts/${account}/payload_logging`, { enabled });
  await switched(true);
  for (const client of [messages, chat]) {
    const { id } = await client.create(['able', 'no-such-model']);
    await client.ended(id);
    const items: Json[] = (await owner.call(at(`/batches/${id}/items`))).body.data;
    const contents: Json[] = [];
    for (const item of items) {
      await waitFor(async () => (await contentOf(item)).content !== null);
      contents.push((await contentOf(item)).content);
    }
    const [answered, refused] = contents;
    expect(JSON.parse(answered.request).model).toBe('able');
    expect(answered.answer).toContain('[simulated]');
    expect(JSON.parse(refused.answer).error.message).toContain('no-such-model');
    const record = (await owner.call(at(`/requests/${items[0]!.request_id}`))).body;
    expect(record.receipt).not.toBeNull();
  }
  await switched(false);
});

describe('the pages of batches', () => {
  const { openPage } = useBrowser(server);
  const newer = async (models: string[]) => messages.create(models);

  browserTest('show the results of a batch that ends while its page is open', async () => {
    const { id } = await messages.create(['late']);
    const page = await openPage(`/batches/${id}`, { person: owner });
    await page
      .locator('.batch-items')
      .getByText(/^(Waiting|In progress)$/)
      .waitFor();
    await page.locator('.batch-items .status').getByText('Succeeded').waitFor();
  });

  browserTest('show the list, the results and their errors, and lead from page to page', async () => {
    const { id } = await newer(['no-such-model', ...Array.from({ length: 24 }, () => 'able')]);
    await messages.ended(id);
    const page = await openPage('/batches', { person: owner });
    await expectAccessible(page);
    await page.getByRole('link', { name: id }).click();
    await page.getByText("There is no model 'no-such-model'").first().waitFor();
    await page.getByText('[simulated]').first().waitFor();
    await page.getByText('Ended with errors').waitFor();
    await page.getByRole('link', { name: 'Receipt of item-1', exact: true }).waitFor();
    await expectAccessible(page);
    const viewing = await openPage(`/batches/${id}`, { person: people.viewer });
    await viewing.getByText('Viewers see no content').waitFor();
    await viewing.getByText("There is no model 'no-such-model'").first().waitFor();
    const shown = await viewing.locator('main').innerText();
    expect(['[simulated]', 'Delete', 'Download results'].filter((text) => shown.includes(text))).toEqual([]);
    await expectAccessible(viewing);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('item-24', { exact: true }).waitFor();
    expect(page.url()).toEndWith(`/batches/${id}?after=19`);
    await page.goBack();
    await page.getByText('item-0', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download results' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${id}.jsonl`);
    await page.goto('/batches?status=in_progress');
    await page.getByText('No matching batches').waitFor();
    await expectSound(page);
  });

  fullBrowserTest('cancel and delete a batch after a question, even on a phone in the dark', async () => {
    const { id } = await newer(Array.from({ length: 20 }, () => 'late'));
    const page = await openPage(`/batches/${id}`, { person: owner, dark: true, width: 390 });
    await page.getByRole('button', { name: 'Cancel the batch' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    expect((await messages.view(id)).processing_status).toBe('in_progress');
    await page.getByRole('button', { name: 'Cancel the batch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the batch' }).click();
    await messages.ended(id);
    await page.getByRole('button', { name: 'Delete' }).click();
    await messages.delete(id); // somebody else was first
    await page.getByRole('button', { name: 'Delete the batch' }).click();
    await page.getByText('or the batch was deleted').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
    await expectSound(page);
    const last = await newer(['able']);
    await messages.ended(last.id);
    await page.goto(`/batches/${last.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the batch' }).click();
    await page.waitForURL('**/batches');
    expect((await messages.get(`/${last.id}`)).status).toBe(404);
  });

  fullBrowserTest('help an organization without batches', async () => {
    const page = await openPage('/batches', {
      person: await gateway.join('a@empty.example', 'owner', await server.createAccount('pro')),
    });
    await page.getByText('No batches yet').waitFor();
    await checkPage(page);
  });
});
