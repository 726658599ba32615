import { afterAll, expect } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';
import { signInAsOperator } from './sign-in.ts';
import { browserTest, expectSound, useBrowser } from './support/use-browser.ts';

const KEY = 'sk-small-1234567890abcdef';
const wrong = startSmallProvider([]);
const good = startSmallProvider([KEY]);
const host = (id: string, base_url: string) => ({ id, wire: 'openai-chat', base_url, api_key: KEY });
const server = await startServer({
  config: {
    providers: [host('first', wrong.url), host('second', good.url)],
    catalog: {
      models: [
        {
          id: 'covered',
          plan: 'free',
          context_window: 8_192,
          pricing_usd_per_mtok: { input: 1, output: 4 },
          routes: [
            { provider: 'first', model: 'small-1', weight: 1_000 },
            { provider: 'second', model: 'small-1', weight: 0 },
          ],
        },
      ],
    },
  },
});
const { openPage } = useBrowser(server);
afterAll(async () => {
  await server.stop();
  wrong.stop();
  good.stop();
});

browserTest(
  'a fault that a fallback hides from clients shows at once, with its reason and remedy',
  async () => {
    const person = await signInAsOperator(server);
    const page = await openPage('/operator', { person });
    await page.getByText('No provider has a fault.').waitFor();
    expect((await server.chat(server.firstKey, 'covered')).status).toBe(200);
    const row = page.getByRole('row', { name: /^first small-1/ });
    await row.getByText(/^The provider refuses its key: 401/).waitFor();
    await row.getByText('1 (1 hidden by fallback)').waitFor();
    expect(await row.locator('time').count()).toBe(2);
    expect(await row.innerText()).toEqual(expect.stringContaining('Replace the key of the provider'));
    await expectSound(page);
    await page.goto('/operator/providers');
    await page.getByText(/hidden by fallback\), model small-1/).waitFor();
    expect(await page.locator('main h2').first().innerText()).toBe('first');
    await expectSound(page);
    await page.goto('/operator/status');
    const findings = page.getByRole('table', { name: 'Findings' });
    await findings.getByText(/^The provider refuses its key/).waitFor();
    const states = await findings.getByRole('row').allInnerTexts();
    const rank = states.slice(1).map((text) => ['fail', 'warn', 'ok'].indexOf(text.trim().split(/\s/)[0]!));
    expect(rank[0]).toBe(0);
    expect(rank).toEqual(rank.toSorted());
    await expectSound(page);
    page.release();
  },
);
