import { afterAll, expect } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';
import { signInAsOperator } from './sign-in.ts';
import { browserTest, expectSound, useBrowser } from './support/use-browser.ts';

const KEY = 'sk-small-1234567890abcdef';
const upstream = startSmallProvider([KEY]);
const server = await startServer({
  config: {
    providers: [{ id: 'small', wire: 'openai-chat', base_url: upstream.url, api_key: KEY }],
    catalog: {
      models: [
        {
          id: '@svc/of-file',
          plan: 'free',
          context_window: 8_192,
          display_name: 'Of the file',
          pricing_usd_per_mtok: { input: 1, output: 4 },
          routes: [{ provider: 'small', model: 'small-1' }],
        },
      ],
    },
  },
});
const { openPage } = useBrowser(server);
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
const ONE = '@svc/of-file';
const row = async (id = ONE) => (await server.admin('GET', `/catalog/${id}`)).body;

browserTest(
  'an operator changes prices and aliases by form, and sees the difference before it is saved',
  async () => {
    const person = await signInAsOperator(server);
    const page = await openPage('/operator/models?search=of-file', { person });
    await expectSound(page);
    await page.getByRole('link', { name: ONE }).click();
    const show = page.getByRole('button', { name: 'Show the difference' });
    const difference = page.getByRole('table', { name: 'Difference' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await page.getByRole('textbox', { name: 'Aliases' }).fill('nickname, other-name');
    const prices = page.getByRole('group', { name: 'Prices', exact: true });
    await prices.getByRole('spinbutton', { name: 'Input price', exact: true }).fill('2');
    await page.getByRole('button', { name: 'Add price row' }).click();
    const priceRow = page.getByRole('group', { name: 'Price row 1' });
    await priceRow.getByRole('textbox', { name: 'Name' }).fill('long');
    await priceRow.getByRole('spinbutton', { name: 'Above input tokens' }).fill('4000');
    await priceRow.getByRole('spinbutton', { name: 'Factor' }).fill('-1');
    await show.click();
    await priceRow.getByText('The least value is 0.').waitFor();
    await priceRow.getByRole('spinbutton', { name: 'Factor' }).fill('2');
    await expectSound(page);
    await show.click();
    await difference.waitFor();
    expect(await difference.innerText()).toMatch(/pricing_usd_per_mtok[\s\S]*aliases[\s\S]*nickname/);
    await page.getByText('The model answered no requests yesterday.').waitFor();
    expect((await row()).revision).toBeNull();
    await expectSound(page);
    await save.click();
    await page.getByText('stored by form or API').waitFor();
    expect(await row()).toMatchObject({
      revision: 1,
      display_name: 'Of the file',
      row: {
        aliases: ['nickname', 'other-name'],
        pricing_usd_per_mtok: {
          input: 2,
          output: 4,
          conditions: [{ name: 'long', above_input_tokens: 4_000, factor: 2 }],
        },
      },
    });

    // Another operator is faster. The second one gets a conflict, and loads the row again.
    await page.getByRole('textbox', { name: 'Display name' }).fill('Mine');
    await show.click();
    await save.waitFor();
    await server.admin('PATCH', `/models/${ONE}`, { display_name: 'Theirs' });
    await save.click();
    await page.getByText('The row has changed since it was read. Load it again.').waitFor();
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name=display_name]')?.value === 'Theirs',
    );
    await page.getByRole('button', { name: 'Hide the model' }).click();
    await save.click();
    await page.getByRole('button', { name: 'Show the model' }).waitFor();
    expect((await row()).hidden).toBe(true);
    await page.getByRole('button', { name: 'Remove the stored row' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('the configuration file').waitFor();
    expect(await row()).toMatchObject({ source: 'file', display_name: 'Of the file', hidden: false });

    await page.goto('/operator/models?do=add');
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill(ONE);
    const route = page.getByRole('group', { name: 'Route 1' });
    await route.getByRole('combobox', { name: 'Provider' }).selectOption('small');
    await route.getByRole('textbox', { name: 'Model at the provider' }).fill('small-2');
    await show.click();
    await page.getByText(`The model '${ONE}' exists already`).waitFor();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill('added');
    await show.click();
    await expectSound(page);
    await save.click();
    await page.getByRole('heading', { name: 'added' }).waitFor();
    const answer = await server.chat(server.firstKey, 'added');
    expect([answer.status, upstream.seen.at(-1)?.model]).toEqual([200, 'small-2']);
    page.release();
  },
);
