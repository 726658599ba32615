import { describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { expectOk } from '../support/expect-ok.ts';
import { checkPage } from './support/check-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { browserTest, expectSound, fullBrowserTest, useBrowser } from './support/use-browser.ts';
import { openWorkGateway, strangersAt } from './work-gateway.ts';

const gateway = await openWorkGateway();
const { server, owner, people, at, key, sibling, stranger } = gateway;

const createResponse = async (secret: string, body: Json = {}): Promise<Json> => {
  const fields = { model: 'able', input: 'say: hello', ...body };
  const answer = await server.call('/v1/responses', { headers: bearer(secret), body: fields });
  expectOk(answer);
  return answer.body;
};

describe('stored responses in the dashboard', () => {
  test('shows the responses of all keys, newest first, with the storage used', async () => {
    const first = await createResponse(key.key);
    const second = await createResponse(sibling.key);
    const other = await createResponse(stranger.key);
    const { body } = await owner.call(at('/responses'));
    expect(body.data.map(({ id }: Json) => id)).toEqual([second.id, first.id]);
    expect(body.data[1]).toMatchObject({
      key_id: key.id,
      model: 'able',
      previous_response_id: null,
      turns: 1,
    });
    const sum = body.data.reduce((all: number, { bytes }: Json) => all + bytes, 0);
    expect(body.storage.bytes).toBe(sum);
    expect(body.storage.limit_bytes).toBeGreaterThan(sum);
    expect((await owner.call(at('/responses?limit=1'))).body).toMatchObject({ has_more: true });
    const rest = (await owner.call(at(`/responses?after=${second.id}`))).body.data;
    expect(rest.map(({ id }: Json) => id)).toEqual([first.id]);
    expect((await owner.call(at(`/responses?after=${other.id}`))).status).toBe(400);
    expect((await owner.call(at('/responses?limit=1000'))).status).toBe(400);
  });

  test('shows the conversation and its items, and cuts what is long', async () => {
    const image = `data:image/png;base64,${'A'.repeat(40_000)}`;
    const first = await createResponse(key.key, {
      instructions: 'Be short.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'say: one' },
            { type: 'input_image', image_url: image },
          ],
        },
      ],
    });
    const second = await createResponse(key.key, { input: 'say: two', previous_response_id: first.id });
    const { body } = await owner.call(at(`/responses/${second.id}`));
    expect(body).toMatchObject({ id: second.id, turns: 2, status: 'completed', is_cut: false });
    expect(body.chain.map(({ id, model }: Json) => [id, model])).toEqual([
      [first.id, 'able'],
      [second.id, 'able'],
    ]);
    expect(JSON.stringify(body.output)).toContain('two');
    const items = (await owner.call(at(`/responses/${second.id}/items?limit=1`))).body;
    expect(items).toMatchObject({ has_more: true, is_cut: true });
    expect(JSON.stringify(items).length).toBeLessThan(2_000);
    const rest = (await owner.call(at(`/responses/${second.id}/items?after=${items.last_id}`))).body;
    expect(JSON.stringify(rest.data)).toContain('say: two');
    const file = await owner.call(at(`/responses/${first.id}/download`));
    expect(file.body).toEqual(first);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${first.id}.json"`);
    await owner.call(at(`/responses/${first.id}`), { method: 'DELETE' });
    const after = (await owner.call(at(`/responses/${second.id}`))).body.chain;
    expect(after[0]).toEqual({ id: first.id, model: null, created_at: null });
  });

  test('deletes a response once, even of a revoked key', async () => {
    const revoked = await server.createKey('pro', { account: gateway.account });
    const { id } = await createResponse(revoked.key);
    await server.admin('DELETE', `/keys/${revoked.id}`);
    expect((await owner.call(at(`/responses/${id}`))).status).toBe(200);
    const deleted = await owner.call(at(`/responses/${id}`), { method: 'DELETE' });
    expect(deleted.body).toEqual({ id, deleted: true });
    const again = await owner.call(at(`/responses/${id}`), { method: 'DELETE' });
    expect(again).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining(id) } } });
    const { data } = (await server.admin('GET', `/audit?target=${id}&action=response-delete`)).body;
    expect(data).toMatchObject([{ actor: 'owner@ours.example', after: { account_id: gateway.account } }]);
  });

  test('another organization and nobody see no response, and a viewer deletes none', async () => {
    const { id } = await createResponse(stranger.key);
    const paths = ['', '/items', '/download'].map((rest) => `/responses/${id}${rest}`);
    for (const path of paths)
      expect({ path, status: (await owner.call(at(path))).status }).toEqual({ path, status: 404 });
    expect((await owner.call(at(`/responses/${id}`), { method: 'DELETE' })).status).toBe(404);
    const ours = `/responses/${(await createResponse(key.key)).id}`;
    expect(await strangersAt(gateway, { path: '/responses' })).toEqual([401, 401, 404, 200]);
    for (const path of [ours, `${ours}/items`, `${ours}/download`])
      expect(await strangersAt(gateway, { path })).toEqual([401, 401, 404, 403]);
    expect(await strangersAt(gateway, { method: 'DELETE', path: ours })).toEqual([401, 401, 404, 403]);
    const own = await server.call(`/v1/responses/${id}`, { headers: bearer(stranger.key) });
    expect(own.status).toBe(200);
  });
});

test('each reading of a stored response is in the audit log, and a viewer reads none [ADM-50]', async () => {
  const { id } = await createResponse(key.key);
  const audit = async (): Promise<Json[]> => (await server.admin('GET', `/audit?target=${id}`)).body.data;
  const refused = await people.viewer.call(at(`/responses/${id}`));
  expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
    403,
    'permission_denied',
    'Your role in this organization is viewer. This needs the role developer.',
  ]);
  await owner.call(at('/responses'));
  expect(await audit()).toEqual([]);
  const developer = await gateway.join('developer@ours.example', 'developer');
  for (const rest of ['', '', '/items', '/download']) await developer.call(at(`/responses/${id}${rest}`));
  await owner.call(at(`/responses/${id}`));
  const read = (await audit()).map(({ action, actor, after }) => [action, actor, after.part, after.times]);
  expect(read.reverse()).toEqual([
    ['content-read', 'developer@ours.example', 'output', 2],
    ['content-read', 'developer@ours.example', 'input', 1],
    ['content-read', 'developer@ours.example', 'download', 1],
    ['content-read', 'owner@ours.example', 'output', 1],
  ]);
  expect((await audit())[0]!.after).toMatchObject({ account_id: gateway.account, kind: 'response' });
});

describe('the pages of stored responses', () => {
  const { openPage } = useBrowser(server);

  browserTest('show the list, a conversation and its items, and delete a response', async () => {
    const first = await createResponse(key.key, {
      input: 'say: the first answer',
      instructions: 'Be short.',
    });
    const second = await createResponse(key.key, {
      input: 'say: the second answer',
      previous_response_id: first.id,
    });
    const page = await openPage('/responses', { person: owner });
    await page.getByText(/used/).first().waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: second.id }).click();
    await page.getByText('[simulated] the second answer', { exact: true }).waitFor();
    await page.getByText('[simulated] the first answer', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: first.id }).click();
    await page.getByText('Be short.', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download JSON' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${first.id}.json`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the response' }).click();
    await page.waitForURL('**/responses');
    await page.getByRole('link', { name: second.id }).first().click();
    await page.getByText('(deleted or expired)').waitFor();
    await page.goto(`/responses/${first.id}`);
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
    await expectSound(page);
  });

  fullBrowserTest(
    'load long inputs step by step, and show viewers why they see no content [ADM-50]',
    async () => {
      const input = Array.from({ length: 30 }, (_, index) => ({ role: 'user', content: `line ${index}` }));
      const { id } = await createResponse(key.key, { input });
      const page = await openPage(`/responses/${id}`, { person: owner, dark: true, width: 390 });
      await page.getByText('line 19', { exact: true }).waitFor();
      expect(await page.getByText('line 20', { exact: true }).count()).toBe(0);
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByText('line 29', { exact: true }).waitFor();
      await checkPage(page);
      const viewing = await openPage(`/responses/${id}`, { person: people.viewer, dark: true, width: 390 });
      await viewing.getByText('Viewers see no content').waitFor();
      expect(await viewing.locator('main').innerText()).not.toContain('line 1');
      expect(await viewing.getByText('Delete').or(viewing.getByText('Download JSON')).count()).toBe(0);
      await checkPage(viewing);
    },
  );

  fullBrowserTest('help an organization without responses', async () => {
    const account = await server.createAccount('pro');
    const page = await openPage('/responses', {
      person: await gateway.join('a@empty.example', 'owner', account),
    });
    await page.getByText('No stored responses yet').waitFor();
    await checkPage(page);
  });
});
