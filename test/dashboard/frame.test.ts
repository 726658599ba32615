import { afterAll } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { browserTest, expectSound, useBrowser } from './support/use-browser.ts';

const server = await startServer({ config: { catalog: { default: false } } });
afterAll(() => server.stop());
const { openPage } = useBrowser(server);

browserTest('the start page is accessible and loads nothing from elsewhere', async () => {
  const page = await openPage('/');
  await expectSound(page);
  await expectAccessible(page);
});
