import { afterAll, expect } from 'bun:test';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { PASSWORD, signInAsOperator } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { codeOf } from './support/code-of.ts';
import { browserTest, expectSound, useBrowser } from './support/use-browser.ts';

const config = { ...sampleConfig('http://127.0.0.1:9'), dashboard: { two_factor: 'operators' } };
const server = await startServer({ config });
afterAll(() => server.stop());
const { openPage } = useBrowser(server);

browserTest(
  'an operator who must set up a second factor has no role before, and gets it at once',
  async () => {
    const person = await signInAsOperator(server);
    const { organizations, ...before } = (await person.call('/session')).body;
    expect({
      must_set_two_factor: before.person.must_set_two_factor,
      operator_role: before.operator_role,
      organizations,
    }).toEqual({ must_set_two_factor: true, operator_role: null, organizations: [] });
    expect((await person.call('/operator/accounts')).status).toBe(404);
    const page = await openPage('/operator', { person });
    await page.getByText('Turn on two-factor sign-in to continue').waitFor();
    expect(new URL(page.url()).pathname).toBe('/account');
    await checkPage(page, 'account-must-set-two-factor');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    const app = await page.getByRole('link', { name: 'Open the app on this device' }).getAttribute('href');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(app!));
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Turn on two-factor sign-in to continue').waitFor({ state: 'detached' });
    // The page stays, though the person is in an organization only from now on.
    await page.getByText('Keep these recovery codes.').waitFor();
    expect((await page.locator('main .code-block').innerText()).split('\n').length).toBeGreaterThan(5);
    await page.getByRole('link', { name: 'Operations' }).first().click();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/operator');
    await expectSound(page);
  },
);
