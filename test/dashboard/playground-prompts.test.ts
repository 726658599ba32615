import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from './support/expect-accessible.ts';
import { browserTest, expectSound, useBrowser } from './support/use-browser.ts';
import { openWorkGateway } from './work-gateway.ts';

const { server, owner, people, at, join } = await openWorkGateway();
const developer = await join('developer@ours.example', 'developer');
const leaver = await join('leaver@ours.example', 'developer');
const { openPage } = useBrowser(server);

test('refuses the second of two changes of a prompt at once', async () => {
  const content = {
    model: 'able',
    dialect: 'chat',
    settings: { system: 'Be brief.' },
    turns: [],
    text: 'hi',
  };
  const made = await owner.call(at('/prompts'), { body: { name: ' Greeting ', content } });
  expect(made).toMatchObject({ status: 201, body: { name: 'Greeting', revision: 1 } });
  const one = at(`/prompts/${made.body.id}`);
  const again = await owner.call(at('/prompts'), { body: { name: 'Greeting', content } });
  expect({ status: again.status, param: again.body.error.param }).toEqual({ status: 409, param: 'name' });
  const change = (revision: number, text: string) =>
    developer.call(one, { method: 'PATCH', body: { revision, content: { ...content, text } } });
  expect((await change(1, 'first')).body).toMatchObject({ revision: 2, content: { text: 'first' } });
  const late = await change(1, 'second');
  expect(late).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('has changed') } },
  });
  expect((await owner.call(one)).body.content).toEqual({ ...content, text: 'first' });
  const { data } = (await developer.call(at('/prompts'))).body;
  expect(data).toMatchObject([{ name: 'Greeting', revision: 2, changed_by: developer.email }]);
  expect((await people.viewer.call(one)).status).toBe(403);
  const long = await owner.call(at('/prompts'), {
    body: { name: 'Long', content: { ...content, text: 'x'.repeat(600_000) } },
  });
  expect({ status: long.status, param: long.body.error.param }).toEqual({ status: 400, param: 'content' });
  expect((await owner.call(one, { method: 'DELETE' })).body).toEqual({ deleted: true });
  expect((await owner.call(one)).status).toBe(404);
});

browserTest('saves a prompt for the organization, and opens it again', async () => {
  const page = await openPage('/playground?model=able&dialect=chat', { person: owner });
  const composer = (one: Page) => one.getByRole('textbox', { name: 'Message' });
  await page.getByLabel('System prompt').fill('Answer in verse.');
  await composer(page).fill('say: kept');
  await page.getByRole('button', { name: 'Save prompt' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('In verse');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The prompt was saved').waitFor();

  const other = await openPage('/playground?model=on-chat', { person: developer });
  await other.getByRole('button', { name: 'Saved prompts' }).click();
  await expectAccessible(other);
  await other.getByRole('button', { name: 'Open In verse' }).click();
  await other.waitForURL((url) => url.searchParams.get('model') === 'able');
  expect(await other.getByLabel('System prompt').inputValue()).toBe('Answer in verse.');
  expect(await composer(other).inputValue()).toBe('say: kept');
  await expectSound(other);
});

browserTest('forgets the conversation of a person who signs out during an answer', async () => {
  const page = await openPage('/playground?model=slow&dialect=chat', { person: leaver });
  await page.getByRole('textbox', { name: 'Message' }).fill('count to 100');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await conversation.getByText('[simulated]').waitFor();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByText('Sign out').click();
  await conversation.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain('draft:playground');
});

browserTest(
  'takes a temperature with a comma, and asks for a number before it sends another text',
  async () => {
    const page = await openPage('/playground?model=able&dialect=chat', { person: owner });
    await page.getByRole('textbox', { name: 'Message' }).fill('say: warm');
    await page.getByLabel('Temperature').fill('0,7');
    await page.locator('main').getByText('"temperature": 0.7').waitFor();
    await page.getByLabel('Temperature').fill('warm');
    await page.getByText('Enter a number like 0.5.').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  },
);
