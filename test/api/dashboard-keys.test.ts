import { afterAll, describe, expect, test } from 'bun:test';
import { bearer } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { hasBrowser, startBrowser } from '../support/start-browser.ts';
import { startServer } from '../support/start-server.ts';

if (!hasBrowser) console.log('not started: the tests of the dashboard need Chromium');

describe.skipIf(!hasBrowser)('the dashboard at /', async () => {
  if (!hasBrowser) return;
  const upstream = startRecordingUpstream();
  const server = await startServer({ config: sampleConfig(upstream.url) });
  const browser = await startBrowser();
  afterAll(async () => {
    await browser.stop();
    await server.stop();
    await upstream.stop();
  });
  const { evaluate, until } = browser;

  const text = (value: string) => JSON.stringify(value);
  const shown = (id: string) => `document.getElementById(${text(id)}).checkVisibility()`;
  const told = (id: string): Promise<string> => evaluate(`document.getElementById(${text(id)}).textContent`);
  const rows = (id: string): Promise<string[]> =>
    evaluate(
      `[...document.querySelectorAll('#${id} li')].map((row) => row.innerText.replaceAll('\\n', ' '))`,
    );
  /** Fills a form in and sends it, as its button does. */
  const send = (id: string, fields: Record<string, string>) =>
    evaluate(`{
      const form = document.getElementById(${text(id)});
      for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value;
      form.querySelector('button').click();
    }`);
  const press = (selector: string) => evaluate(`document.querySelector(${text(selector)}).click()`);
  const home = `${server.url}/`;

  async function signIn(): Promise<void> {
    await evaluate('sessionStorage.clear()');
    await browser.open(home);
    await send('sign-in', { token: server.adminToken });
    await until(shown('desk'));
  }

  test('refuses a wrong admin token with a message', async () => {
    await browser.open(home);
    for (const token of ['tga_wrong', 'not a\u00e9token', server.firstKey]) {
      await send('sign-in', { token });
      await until(`document.getElementById('problem').textContent !== ''`);
      expect(await evaluate(`[${shown('desk')}, ${shown('sign-in')}, sessionStorage.length]`)).toEqual([
        ...[false, true, 0],
      ]);
    }
  });

  test('creates an account and a key, which works at once and is shown once [AUT-03]', async () => {
    await signIn();
    await send('new-account', { name: 'Ada <b>Lovelace</b>', plan: 'pro' });
    await until(shown('account'));
    expect(await told('account-name')).toBe('Keys of Ada <b>Lovelace</b>');
    await send('new-key', { name: 'laptop' });
    await until(shown('created'));
    const key = await told('created-key');
    expect(key).toMatch(/^svc_[0-9A-Za-z]{49}$/);
    expect((await server.chat(key, 'test-plain')).status).toBe(200);
    await until(`document.querySelectorAll('#account-keys li').length === 1`);
    expect((await rows('account-keys'))[0]).toContain('laptop');
    await browser.open(home);
    await until(`document.querySelectorAll('#accounts li').length > 0`);
    expect(await evaluate('document.body.innerHTML')).not.toContain(key);
  });

  test("shows an account's keys, and revokes one after a confirmation", async () => {
    const { account, key } = await server.createKey('pro', { name: 'of somebody' });
    await server.createKey('pro', { account, name: 'another' });
    await signIn();
    await evaluate(
      `[...document.querySelectorAll('#accounts li')].find((row) => row.textContent.includes(${text(account)})).querySelector('button').click()`,
    );
    await until(`document.querySelectorAll('#account-keys li').length === 2`);
    const revoke = '[aria-label="Revoke of somebody"]';
    await evaluate('window.confirm = () => false');
    await press(revoke);
    expect((await server.call('/v1/usage', { headers: bearer(key) })).status).toBe(200);
    await evaluate('window.confirm = () => true');
    await press(revoke);
    await until(`document.querySelector(${text(revoke)}) === null`);
    const list = await rows('account-keys');
    expect(list.map((row) => [row.includes('of somebody'), row.includes('revoked on')]).toSorted()).toEqual([
      [false, false],
      [true, true],
    ]);
    expect((await server.call('/v1/usage', { headers: bearer(key) })).status).toBe(401);
  });

  test('shows all accounts, page by page', async () => {
    const already = (await server.admin('GET', '/accounts?limit=1000')).body.data.length;
    for (let made = already; made < 51; made++) await server.createAccount('free');
    await signIn();
    expect(await evaluate(`document.querySelectorAll('#accounts li').length`)).toBe(50);
    await press('#more-accounts');
    await until(`document.querySelectorAll('#accounts li').length === 51`);
    expect(await evaluate(shown('more-accounts'))).toBe(false);
  });

  test("shows the server's refusals", async () => {
    await signIn();
    await send('new-account', { name: '\u0000', plan: 'pro' });
    await until(`document.getElementById('problem').textContent.startsWith('name ')`);
  });

  test('forgets everything on sign-out', async () => {
    await signIn();
    await press('#sign-out');
    expect(await evaluate(`[${shown('desk')}, ${shown('sign-in')}, sessionStorage.length]`)).toEqual([
      ...[false, true, 0],
    ]);
    await browser.open(home);
    expect(await evaluate(shown('desk'))).toBe(false);
    expect(await rows('accounts')).toEqual([]);
  });

  test('follows its own content security policy', () => {
    expect(browser.problems.filter((problem) => !/status of 40[01]/.test(problem))).toEqual([]);
  });
});
