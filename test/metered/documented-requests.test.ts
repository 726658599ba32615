import { afterAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictureOf } from '../../src/simulator/media/picture.ts';
import { soundOf } from '../../src/simulator/media/sound.ts';
import { startServer } from '../support/start-server.ts';

const page = readFileSync(new URL('../../docs/metered-endpoints.md', import.meta.url), 'utf8');
const commands = [...page.matchAll(/^```sh metered\n(curl [\s\S]*?)\n```$/gm)].map(([, command]) => command!);
const server = await startServer();
afterAll(server.stop);
const { account, key } = await server.createKey('payg');
await server.purchase(account, 10);
writeFileSync(join(server.directory, 'speech.mp3'), Buffer.concat([...soundOf('mp3', 5)]));
writeFileSync(join(server.directory, 'photo.png'), pictureOf({ width: 64, height: 64 }, 'png', 'photo'));

test('the page has a request for each metered endpoint', () => {
  const paths = commands.map((command) => /127\.0\.0\.1:8080(\S+)/.exec(command)![1]);
  expect(paths.sort()).toEqual([
    '/v1/audio/speech',
    '/v1/audio/transcriptions',
    '/v1/audio/translations',
    '/v1/images/edits',
    '/v1/images/generations',
    '/v1/moderations',
    '/v1/rerank',
  ]);
});

for (const command of commands)
  test.skipIf(Bun.which('curl') === null)(`works as documented: ${command.split(' \\\n')[0]}`, async () => {
    const script = command.replace('http://127.0.0.1:8080', server.url).replace('curl ', 'curl -sS -i ');
    const curl = Bun.spawn(['sh', '-c', script], {
      cwd: server.directory,
      env: { ...process.env, TOLLGATE_API_KEY: key },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [text, errors] = await Promise.all([curl.stdout.text(), curl.stderr.text()]);
    expect({ exited: await curl.exited, errors }).toEqual({ exited: 0, errors: '' });
    const answer = command.includes('-o hello.mp3')
      ? readFileSync(join(server.directory, 'hello.mp3'), 'latin1')
      : text;
    expect(answer).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 200 OK\r\n/);
  });
