import { afterAll, expect, test } from 'bun:test';
import { startDocsServer } from './testing/start-docs-server.ts';

const without = await startDocsServer();
const set = await startDocsServer({
  yaml: 'server: { security_txt: { contact: ["mailto:security@a.example", "https://a.example/report"], expires: 2099-06-30, policy: "https://a.example/policy" } }\n',
});
const expired = await startDocsServer({
  yaml: 'server: { security_txt: { contact: ["mailto:security@a.example"], expires: 2020-06-30 } }\n',
});
afterAll(async () => {
  for (const server of [without, set, expired]) await server.close();
});
const path = '/.well-known/security.txt';

test('security.txt has the contacts in their order, the date and the policy', async () => {
  const answer = await set.get(path);
  expect({ status: answer.status, contentType: answer.headers.get('content-type') }).toEqual({
    status: 200,
    contentType: 'text/plain; charset=utf-8',
  });
  expect(await answer.text()).toBe(
    'Contact: mailto:security@a.example\nContact: https://a.example/report\nExpires: 2099-06-30T00:00:00Z\n' +
      'Policy: https://a.example/policy\nPreferred-Languages: en\n',
  );
});

test('security.txt is 404 without a contact or after its date', async () => {
  expect((await without.get(path)).status).toBe(404);
  expect((await expired.get(path)).status).toBe(404);
});
