import { afterAll, expect } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';
import { signInAsOperator } from './sign-in.ts';
import { browserTest, expectSound, useBrowser } from './support/use-browser.ts';

const KEY = 'sk-small-1234567890abcdef';
const upstream = startSmallProvider([KEY]);
const server = await startServer();
const { openPage } = useBrowser(server);
afterAll(async () => {
  await server.stop();
  upstream.stop();
});

browserTest(
  'a new operator gets to a first answer of a real provider without a file or a terminal',
  async () => {
    const person = await signInAsOperator(server);
    // A simulated answer is not the first one of a provider.
    const { organizations } = (await person.call('/session')).body;
    const { secret } = (await person.call(`/organizations/${organizations[0].id}/keys`, { body: {} })).body;
    const model = (await server.call('/v1/models')).body.data[0].id;
    const simulated = await server.call('/v1/chat/completions', {
      headers: bearer(secret),
      body: chatBody(model),
    });
    expect({ status: simulated.status, simulated: simulated.headers.get('x-svc-simulated') }).toEqual({
      status: 200,
      simulated: 'true',
    });
    expect((await server.admin('GET', '/setup')).body).toEqual({
      live_providers: 0,
      live_models: 0,
      first_answer_at: null,
    });
    const page = await openPage('/', { person });
    await page.getByRole('heading', { name: 'Latest requests' }).waitFor();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    const step = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    expect(await step('Set up a provider').getByText('(done)').count()).toBe(0);
    await expectSound(page);
    const status = page.getByRole('status', { name: 'Simulated answers' });
    await status.waitFor();
    expect(await status.innerText()).toContain('simulated');
    await step('Set up a provider').getByRole('link', { name: 'Add a provider' }).click();
    await page.getByRole('textbox', { name: 'Id' }).fill('small');
    await page.getByRole('textbox', { name: 'Base URL' }).fill(upstream.url);
    await page.getByLabel('API key').fill('sk-wrong-1234567890abcdef');
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('The test failed: key refused').waitFor();
    await page.getByLabel('API key').fill(KEY);
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('A real answer.').waitFor();
    await page.getByLabel('small-1').check();
    await expectSound(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Change' }).waitFor();
    expect(await page.content()).not.toContain(KEY);
    await expectSound(page);
    await page.goto('/');
    for (const title of ['Set up a provider', 'Choose its models', 'Create a key'])
      await step(title).getByText('(done)').waitFor();
    expect(await status.count()).toBe(0);
    await expectSound(page);
    await step('Send a request').getByRole('link', { name: 'Open the playground' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('A real answer.').waitFor();
    expect(upstream.seen.at(-1)?.model).toBe('small-1');
    await page.goto('/');
    await page.getByRole('heading', { name: 'Latest requests' }).waitFor();
    // The record of the request follows its answer, and the page follows the record.
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    page.release();
    expect((await server.admin('GET', '/setup')).body).toMatchObject({
      live_providers: 1,
      live_models: 1,
      first_answer_at: expect.stringMatching(/^20/),
    });
    // The server knows it, so another browser shows no steps either.
    const elsewhere = await openPage('/', { person });
    await elsewhere.getByRole('heading', { name: 'Latest requests' }).waitFor();
    expect(await elsewhere.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
  },
);
