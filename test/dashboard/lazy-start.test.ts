import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/start-server.ts';
import { callDashboard } from './sign-in.ts';

/** Lists the modules of a folder of packages that a process has loaded. */
const spy = (list: string) => `
  import { plugin } from 'bun';
  import { appendFileSync } from 'node:fs';
  plugin({
    name: 'spy',
    setup({ onLoad }) {
      onLoad({ filter: /node_modules\\/(better-auth|@better-auth|nodemailer)\\// }, async ({ path }) => {
        appendFileSync(${JSON.stringify(list)}, path + '\\n');
        return { contents: await Bun.file(path).text(), loader: 'js' };
      });
    },
  });
`;

test('a start and a visit without a session load neither the sign-in library nor the mail client', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-spy-'));
  const list = join(folder, 'loaded');
  const preload = join(folder, 'spy.ts');
  writeFileSync(list, '');
  writeFileSync(preload, spy(list));
  const server = await startServer({ preload });
  try {
    expect((await callDashboard(server, '/session')).status).toBe(200);
    expect((await server.call('/healthz')).status).toBe(200);
    expect(readFileSync(list, 'utf8')).toBe('');
    await callDashboard(server, '/session/sign-in', { body: { email: 'a@example.com', password: 'x' } });
    expect(readFileSync(list, 'utf8')).toContain('better-auth');
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
