import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/start-server.ts';

const dataDirectory = join(mkdtempSync(join(tmpdir(), 'tollgate-invalid-row-')), 'data');
afterAll(() => rmSync(join(dataDirectory, '..'), { recursive: true, force: true }));

/** An earlier version may have stored a row that this one does not accept. */
function changeRow(): void {
  const file = new Database(join(dataDirectory, 'tollgate.db'));
  file.run(`UPDATE stored_setting SET settings = replace(settings, 'openai-chat', 'teleprinter')`);
  file.close();
}

test('a stored provider that is no longer valid has a fault and a remedy of its own', async () => {
  const before = await startServer({ dataDirectory });
  const row = { id: 'old', wire: 'openai-chat', base_url: 'http://127.0.0.1:9/v1', api_key: null };
  expect(await before.admin('POST', '/providers', row)).toMatchObject({ status: 201 });
  await before.stop();
  changeRow();
  const server = await startServer({ dataDirectory });
  const fault = { cause: 'row_invalid', remedy: expect.stringContaining('delete the provider') };
  const { body: provider } = await server.admin('GET', '/providers/old');
  expect(provider).toMatchObject({ health: 'down', fault });
  expect(provider.fault.message).toContain('wire');
  expect((await server.admin('GET', '/faults')).body.data).toMatchObject([{ provider: 'old', ...fault }]);
  expect((await server.admin('GET', '/doctor')).body.findings).toContainEqual({
    check: 'providers',
    status: 'fail',
    message: expect.stringContaining('old gets no calls'),
    mend: expect.stringContaining('delete the provider'),
  });
  const mended = await server.admin('PATCH', '/providers/old', { wire: 'openai-chat' });
  expect(mended).toMatchObject({ status: 200, body: { fault: null } });
  await server.stop();
});
