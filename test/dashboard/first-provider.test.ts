import { afterAll, expect } from 'bun:test';
import { startSmallProvider } from '../support/small-provider.ts';
import { startServer } from '../support/start-server.ts';
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
    const page = await openPage('/operator/providers', { person });
    const status = page.getByRole('status', { name: 'Simulated answers' });
    await status.waitFor();
    expect(await status.innerText()).toContain('simulated');
    await page.getByRole('link', { name: 'Add provider' }).click();
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
    const answer = await server.chat(server.firstKey, 'small-1');
    expect([answer.status, answer.body.choices?.[0].message.content]).toEqual([200, 'A real answer.']);
    await page.reload();
    await page.getByRole('heading', { name: 'Change' }).waitFor();
    expect(await status.count()).toBe(0);
    await page.context().close();
  },
);
