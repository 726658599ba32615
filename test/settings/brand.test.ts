import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer({ config: 'brand: acme\n' });
afterAll(server.stop);

const { key } = await server.createKey('free');
const chat = (model: string, headers = bearer(key)) =>
  server.call('/v1/chat/completions', { headers, body: chatBody(model) });
const list: Json[] = (await server.call('/v1/models', { headers: bearer(key) })).body.data;

/** Random characters may be any letters. */
const withoutIds = (text: string) => text.replace(/[0-9A-Za-z]{16,}/g, '');

describe('under another brand', () => {
  test('only keys with its prefix are valid [ADM-22]', async () => {
    for (const each of [key, server.firstKey]) expect(each).toMatch(/^acme_[0-9A-Za-z]{49}$/);
    const { status, headers } = await chat('x', bearer(key.replace('acme_', 'svc_')));
    expect({ status, errorCode: headers.get('x-acme-error-code') }).toEqual({
      status: 401,
      errorCode: 'invalid_api_key',
    });
  });

  test('model ids, their older spellings and the extension field have it [ADM-22]', async () => {
    const open = list.filter(({ id }) => id.startsWith('@'));
    expect(open.length).toBeGreaterThan(20);
    for (const { id } of open) expect(id).toStartWith('@acme/');
    for (const { id, aliases, ...entry } of list) {
      expect(aliases).toContain(`acme-${id.replace('@acme/', '')}`);
      expect([id, typeof entry.acme.access.included, 'svc' in entry]).toEqual([id, 'boolean', false]);
    }
  });

  test('every spelling of an open-weight model resolves, and the other brand does not [ADM-22]', async () => {
    const name = list
      .find(({ id, native_wires }) => id.startsWith('@') && native_wires.includes('openai-chat'))
      .id.slice(6);
    for (const spelling of [`@acme/${name}`, `acme-${name}`, name]) {
      const { status, headers, body } = await chat(spelling);
      expect([spelling, status, headers.get('acme-model'), body.model]).toEqual([
        spelling,
        200,
        spelling,
        spelling,
      ]);
    }
    for (const spelling of [`@svc/${name}`, `svc-${name}`])
      expect((await chat(spelling)).body.error.code).toBe('unknown_model');
  });

  test('headers have it, in both directions [ADM-22]', async () => {
    const { headers } = await chat('nothing');
    expect(headers.get('x-acme-request-id')).toBe(headers.get('x-request-id'));
    expect({ errorCode: headers.get('x-acme-error-code'), model: headers.get('acme-model') }).toEqual({
      errorCode: 'unknown_model',
      model: 'nothing',
    });
    const models = await server.call('/v1/models');
    expect(models.headers.get('vary')).toBe(
      'authorization, x-api-key, anthropic-version, x-acme-payment-mode',
    );
    const payg = (name: string) => server.call('/v1/models', { headers: { [name]: 'payg' } });
    expect((await payg('x-acme-payment-mode')).status).toBe(401);
    expect((await payg('x-svc-payment-mode')).status).toBe(200);
  });

  test('the default brand appears nowhere', async () => {
    const answers = [await chat('nothing'), await chat(list[0].id), await server.call('/v1/models')];
    for (const { text, headers } of answers)
      expect(withoutIds(`${text}${JSON.stringify([...headers])}`)).not.toMatch(/svc/i);
    // The names that clients asked for are theirs, and the tests above asked for the usual brand's.
    expect(withoutIds(server.log().replace(/"model":"[^"]*"/g, ''))).not.toMatch(/svc[-_/]/);
  });
});
