import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { pages } from '../../dashboard/app/pages.ts';
import { bearer, type Json } from '../support/call.ts';
import { checkPage } from './support/check-page.ts';
import { browserTest, expectSound, screenshot, untilShown, useBrowser } from './support/use-browser.ts';
import { openWorkGateway } from './work-gateway.ts';

const gateway = await openWorkGateway();
const { server, people, owner, account, key, stranger } = gateway;
const { openPage } = useBrowser(server);

const created = await owner.call(gateway.at('/keys'), { body: { name: 'Ours alone' } });
await gateway.server.admin('PATCH', `/accounts/${account}`, { name: 'Our organization' });
await server.purchase(account, 20);
const answered = await server.chat(key.key, 'able', { max_tokens: 20 });
const refused = await server.chat(key.key, 'no-such-model');
const order = { model: 'able', input: 'Hello', store: true };
const response: Json = (await server.call('/v1/responses', { headers: bearer(key.key), body: order })).body;
const requestId = answered.headers.get('x-svc-request-id')!;
const refusedId = refused.headers.get('x-svc-request-id')!;

/** Words of everything that changes something. None of them may be on a page of a viewer. */
const CHANGE =
  /^(Create|Add|New|Invite|Remove|Delete|Revoke|Rotate|Change|Save|Cancel the|Buy|Upgrade|Choose)\b/;

const changesOn = async (page: Page): Promise<string[]> => {
  const names = await page.locator('main').locator('button, a').allInnerTexts();
  return names.map((name) => name.trim()).filter((name) => CHANGE.test(name));
};

describe('a viewer', () => {
  browserTest('sees the usage and exports it', async () => {
    const page = await openPage('/usage', { person: people.viewer });
    await page.getByRole('link', { name: 'Export CSV' }).waitFor();
    const csv = await page.evaluate(async () => {
      const link = [...document.querySelectorAll('a')].find((one) => one.innerText.includes('Export CSV'))!;
      return (await fetch(link.href)).text();
    });
    expect(csv).toContain('requests');
    expect(await changesOn(page)).toEqual([]);
    await checkPage(page, 'viewer-usage');
    page.release();
  });

  browserTest('finds a refused request with its reason, and a receipt', async () => {
    const page = await openPage('/requests', { person: people.viewer });
    await page
      .getByRole('link', { name: refusedId })
      .or(page.locator(`a[href*="${refusedId}"]`))
      .first()
      .click();
    await page.getByText('no-such-model').first().waitFor();
    await page.goBack();
    await page.locator(`a[href*="${requestId}"]`).first().click();
    await page.waitForURL(`**/requests/${requestId}`);
    await page.getByText('Receipt').first().waitFor();
    await checkPage(page, 'viewer-request');
    page.release();
  });

  const addressOf: Readonly<Record<string, string>> = {
    '/requests/{id}': `/requests/${requestId}`,
    '/models/{id*}': '/models/able',
    '/responses/{id}': `/responses/${response.id}`,
  };
  const open = pages.filter(
    ({ path, access }) => access === 'member' && (!path.includes('{') || addressOf[path] !== undefined),
  );
  browserTest('finds no button that changes something on any page, or learns why', async () => {
    expect(open.length).toBeGreaterThan(10);
    const page = await openPage('/', { person: people.viewer });
    for (const path of ['/', ...open.map((one) => one.path)]) {
      await page.goto(addressOf[path] ?? path);
      await untilShown(page);
      expect({ path, result: await changesOn(page) }).toEqual({ path, result: [] });
      await screenshot(page, `viewer${path.replace(/[^a-z]+/g, '-')}`);
      await expectSound(page);
    }
    await page.goto('/playground');
    await page.getByText('Ask an owner of the organization for the role developer.').waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'Open the playground' }).count()).toBe(0);
    page.release();
  });
});

describe('two organizations', () => {
  browserTest('see nothing of each other on any page', async () => {
    expect(created.status).toBe(201);
    const ours = ['Our organization', 'Ours alone', 'ours.example', requestId, response.id, account, key.id];
    const page = await openPage('/', { person: people.stranger });
    for (const { path, access } of pages) {
      if (access !== 'member' || path.includes('{')) continue;
      await page.goto(path);
      await untilShown(page);
      const shown = await page.content();
      expect({ path, ours: ours.filter((text) => shown.includes(text)) }).toEqual({ path, ours: [] });
    }
    page.release();
    const own = await openPage('/keys', { person: owner });
    await own.getByText('Ours alone').waitFor();
    expect(await changesOn(own)).not.toEqual([]);
    own.release();
  });

  browserTest('get no page for an id of the other one', async () => {
    for (const path of [`/requests/${requestId}`, `/responses/${response.id}`]) {
      const page = await openPage(path, { person: people.stranger });
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('main').innerText()).not.toContain('able');
      await checkPage(page, `stranger${path.slice(0, 5).replace('/', '-')}`);
      page.release();
    }
    expect(stranger.account).not.toBe(account);
  });
});
