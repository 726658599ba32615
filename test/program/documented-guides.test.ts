import { afterAll, expect, test } from 'bun:test';
import { guides } from '../../src/console/docs/guides.ts';
import { bearer } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer();
afterAll(() => server.stop());
const { key } = await server.createKey('pro');
const documentation = (await server.call('/docs')).text;

/** Returns the models that the page names in its examples. */
const modelOf = (text: string): string => /"model": "([^"]+)"/.exec(text)![1]!;
const page = documentation.replaceAll('&quot;', '"');
const part = (id: string) => page.slice(page.indexOf(`<section id="${id}"`)).split('</section>')[0]!;
const models = {
  model: modelOf(part('guide-streaming')),
  vision_model: modelOf(part('guide-vision')),
};

const examples = guides.flatMap(({ id, steps }) =>
  steps.flatMap(({ title, request }) => (request ? [{ name: `${id}: ${title}`, id, request }] : [])),
);

test.each(examples)('the example of the guide succeeds: $name', async ({ id, request }) => {
  const { method = 'POST', path, headers = {}, body } = request;
  expect(part(id)).toContain(`${server.url}${path.replaceAll('&', '&amp;')}`);
  const filled = JSON.stringify(body)?.replace(
    /\{(model|vision_model)\}/g,
    (_, name: keyof typeof models) => models[name],
  );
  const credential =
    'x-api-key' in headers ? { ...headers, 'x-api-key': key } : { ...bearer(key), ...headers };
  const answer = await server.call(path, {
    method,
    headers: { 'content-type': 'application/json', ...credential },
    ...(filled !== undefined && { body: filled }),
  });
  expect(answer.status).toBe(200);
  expect(answer.text).toEqual(expect.any(String));
  if (filled?.includes('"stream":true')) expect(answer.headers.get('content-type')).toContain('event-stream');
});

test('fields that choose a provider are refused by their name, and names with a vendor are unknown', async () => {
  const send = (fields: object) =>
    server.call('/v1/chat/completions', {
      headers: bearer(key),
      body: { model: models.model, messages: [{ role: 'user', content: 'Hello!' }], ...fields },
    });
  const foreign = { provider: { order: ['a'] }, models: ['b'], route: 'fallback' };
  for (const [name, value] of Object.entries(foreign)) {
    const answer = await send({ [name]: value });
    expect({ name, status: answer.status, param: answer.body.error?.param }).toEqual({
      name,
      status: 422,
      param: name,
    });
  }
  expect((await send({ model: `openai/${models.model}` })).status).toBe(404);
});

test('every guide has a heading in the documentation, and an entry in its contents', () => {
  for (const { id, title } of guides) {
    expect(page).toContain(`<section id="${id}"`);
    expect(page).toContain(`<a href="#${id}">${title}</a>`);
  }
});
