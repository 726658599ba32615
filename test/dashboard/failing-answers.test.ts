import { afterAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { bearer, call, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { signInAsOperator } from './sign-in.ts';
import { seededConfig } from './support/seed.ts';
import { browserTest, useBrowser } from './support/use-browser.ts';

const server = await startServer({ config: seededConfig });
afterAll(() => server.stop());
const { openPage } = useBrowser(server);
const operator = await signInAsOperator(server, 'ada@example.com');
const account: string = (await operator.call('/session')).body.organizations[0].id;
await server.admin('PATCH', `/accounts/${account}`, { plan: 'enterprise' });

const fail = (page: Page, address: string) =>
  page.route(address, (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'Out of order' } } }),
  );

browserTest('a sign-out that fails says that the person is still signed in', async () => {
  const page = await openPage('/', { person: operator });
  await fail(page, '**/session/sign-out');
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You are still signed in. Out of order').waitFor();
});

browserTest('pages of operators show what could not be read, and claim nothing about it', async () => {
  const { key } = await server.createKey('enterprise', { account });
  const body = { model: 'sample-small', messages: [{ role: 'user', content: 'Hello' }] };
  const answer = await call(`${server.url}/v1/chat/completions`, { headers: bearer(key), body });
  const id = answer.headers.get('x-svc-request-id')!;
  await waitFor(async () => (await server.admin('GET', `/requests/${id}`)).status === 200);
  const page = await openPage('about:blank', { person: operator });
  await fail(page, '**/ledger/entries/*');
  await page.goto(`/operator/requests/${id}`);
  const entry = page.getByRole('region', { name: 'Ledger entry' });
  await entry.getByText('Out of order').waitFor();
  expect(await entry.innerText()).not.toContain('not charged');
  await fail(page, '**/operator/alerts*');
  await page.goto('/operator');
  await page.getByRole('region', { name: 'Latest alerts' }).getByText('Out of order').waitFor();
});

browserTest('the form of a model keeps its routes while the providers cannot be read', async () => {
  const page = await openPage('about:blank', { person: operator });
  await fail(page, '**/operator/providers');
  await page.goto('/operator/models/sample-small');
  await page.getByText('Out of order').waitFor();
  await page.getByLabel('Display name').fill('Another name');
  await page.getByRole('button', { name: 'Show the difference' }).click();
  const difference = page.getByRole('region', { name: 'Difference' });
  await difference.getByText('Another name').waitFor();
  expect(await difference.innerText()).not.toContain('routes');
});

browserTest('a list stays after a change if it cannot be read again', async () => {
  const { id } = await server.createKey('enterprise', { account, name: 'to-be-kept' });
  const page = await openPage(`/keys?key=${id}&do=revoke`, { person: operator });
  await fail(page, `**/organizations/${account}/keys*`);
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('The key was revoked.').waitFor();
  await page.getByText('Out of order').waitFor();
  await page.getByRole('link', { name: 'to-be-kept' }).waitFor();
});

browserTest('the form of a key begins with what others have changed meanwhile', async () => {
  const { id } = await server.createKey('enterprise', { account, name: 'shared' });
  const page = await openPage(`/keys?key=${id}`, { person: operator });
  await server.admin('PATCH', `/keys/${id}`, { allowed_models: ['sample-small'] });
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Name').fill('renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The key was changed.').waitFor();
  const keys: Json[] = (await server.admin('GET', `/accounts/${account}/keys`)).body.data;
  const changed = keys.find((key) => key.id === id);
  expect(changed).toMatchObject({ name: 'renamed', allowed_models: ['sample-small'] });
});
