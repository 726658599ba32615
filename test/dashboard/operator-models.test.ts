import { afterAll, beforeAll, expect } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';
import { type SignedInPerson, signInAsOperator } from './sign-in.ts';
import { browserTest, expectSound, type OpenedPage, useBrowser } from './support/use-browser.ts';

const KEY = 'sk-small-1234567890abcdef';
const MODEL = '@svc/of-file';
const upstream = startSmallProvider([KEY]);
const server = await startServer({
  config: {
    providers: [{ id: 'small', wire: 'openai-chat', base_url: upstream.url, api_key: KEY }],
    catalog: {
      models: [
        {
          id: MODEL,
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
let person: SignedInPerson;
beforeAll(async () => {
  person = await signInAsOperator(server);
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});

const readRow = async () => (await server.admin('GET', `/catalog/${MODEL}`)).body;
const openModel = () => openPage(`/operator/models/${MODEL}`, { person });
const click = (page: OpenedPage, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Shows the difference, and saves it. */
async function save(page: OpenedPage): Promise<void> {
  await click(page, 'Show the difference');
  await click(page, 'Save');
}

browserTest('an operator sees the difference of prices and aliases before it is saved', async () => {
  const page = await openPage('/operator/models?search=of-file', { person });
  await expectSound(page);
  await page.getByRole('link', { name: MODEL }).click();
  await page.getByRole('textbox', { name: 'Aliases' }).fill('nickname, other-name');
  const prices = page.getByRole('group', { name: 'Prices', exact: true });
  await prices.getByRole('textbox', { name: 'Input price', exact: true }).fill('2');
  await click(page, 'Add price row');
  const priceRow = page.getByRole('group', { name: 'Price row 1' });
  await priceRow.getByRole('textbox', { name: 'Name' }).fill('long');
  await priceRow.getByRole('textbox', { name: 'Above input tokens' }).fill('4000');
  await priceRow.getByRole('textbox', { name: 'Factor' }).fill('-1');
  await click(page, 'Show the difference');
  await priceRow.getByText('The least value is 0.').waitFor();
  await priceRow.getByRole('textbox', { name: 'Factor' }).fill('2');
  await expectSound(page);
  await click(page, 'Show the difference');
  const difference = page.getByRole('table', { name: 'Difference' });
  await difference.waitFor();
  expect(await difference.innerText()).toMatch(/pricing_usd_per_mtok[\s\S]*aliases[\s\S]*nickname/);
  await page.getByText('The model answered no requests yesterday.').waitFor();
  expect((await readRow()).revision).toBeNull();
  await expectSound(page);
  await click(page, 'Save');
  await page.getByText('stored by form or API').waitFor();
  expect(await readRow()).toMatchObject({
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
  page.release();
});

browserTest('an operator whose form is outdated gets a conflict, and loads the row again', async () => {
  const page = await openModel();
  await page.getByRole('textbox', { name: 'Display name' }).fill('Mine');
  await click(page, 'Show the difference');
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await server.admin('PATCH', `/models/${MODEL}`, { display_name: 'Theirs' });
  await click(page, 'Save');
  await page.getByText('The row has changed since it was read. Load it again.').waitFor();
  await click(page, 'Load again');
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('[name=display_name]')?.value === 'Theirs',
  );
  page.release();
});

browserTest('an operator hides a model, and removes its stored row', async () => {
  const page = await openModel();
  await click(page, 'Hide the model');
  await click(page, 'Save');
  await page.getByRole('button', { name: 'Show the model' }).waitFor();
  expect((await readRow()).hidden).toBe(true);
  await click(page, 'Remove the stored row');
  await click(page, 'Remove');
  await page.getByText('the configuration file').waitFor();
  expect(await readRow()).toMatchObject({ source: 'file', display_name: 'Of the file', hidden: false });
  page.release();
});

browserTest('an operator adds a model, which is called at once', async () => {
  const page = await openPage('/operator/models?do=add', { person });
  const id = page.getByRole('textbox', { name: 'Id', exact: true });
  await id.fill(MODEL);
  const route = page.getByRole('group', { name: 'Route 1' });
  await route.getByRole('combobox', { name: 'Provider' }).selectOption('small');
  await route.getByRole('textbox', { name: 'Model at the provider' }).fill('small-2');
  await click(page, 'Show the difference');
  await page.getByText(`The model '${MODEL}' exists already`).waitFor();
  await id.fill('added');
  await expectSound(page);
  await save(page);
  await page.getByRole('heading', { name: 'added' }).waitFor();
  expect((await server.chat(server.firstKey, 'added')).status).toBe(200);
  expect(upstream.seen.at(-1)?.model).toBe('small-2');
  page.release();
});
