import { expect, test } from 'bun:test';
import { resolveHost } from './resolve-host.ts';

test.each(['127.0.0.1', '::', '[::1]', '0.0.0.0', 'localhost'])('the host %s is known', async (host) => {
  await resolveHost(host);
});

test('an unknown host has the code ENOTFOUND', async () => {
  await expect(resolveHost('none.invalid')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});
