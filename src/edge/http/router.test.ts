import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { jsonReply } from './reply.ts';
import type { Method, Route } from './route.ts';
import { Router } from './router.ts';

const route = (method: Method, path: string): Route => ({ method, path, handle: () => jsonReply(200, {}) });
const router = new Router([
  route('GET', '/v1/models'),
  route('GET', '/v1/models/{id*}'),
  route('POST', '/v1/chat/completions'),
  route('GET', '/admin/v1/keys/{id}'),
  route('PATCH', '/admin/v1/keys/{id}'),
]);
const find = (method: string, path: string) => {
  const match = router.match(method, path);
  return match instanceof Refusal ? match : { route: match.route, params: match.params };
};
const refusal = (method: string, path: string) => router.match(method, path) as Refusal;

test('matches fixed addresses and patterns with decoded parameters', () => {
  expect(find('GET', '/v1/models')).toEqual({ route: '/v1/models', params: {} });
  expect(find('HEAD', '/v1/models')).toEqual({ route: '/v1/models', params: {} });
  for (const id of ['@svc/open-7b', '%40svc%2Fopen-7b', '@svc%2Fopen-7b']) {
    expect(find('GET', `/v1/models/${id}`)).toMatchObject({ params: { id: '@svc/open-7b' } });
  }
  expect(find('PATCH', '/admin/v1/keys/key_1')).toMatchObject({ params: { id: 'key_1' } });
  expect(refusal('PATCH', '/admin/v1/keys/key_1/more').code).toBe('not_found');
  expect(refusal('GET', '/v1/models/%zz').code).toBe('not_found');
});

test('answers another method with the methods of the address [ERR-21, ERR-22]', () => {
  expect(refusal('DELETE', '/v1/models').code).toBe('method_not_allowed');
  expect(refusal('DELETE', '/v1/models').details.headers).toEqual({ allow: 'GET, HEAD, OPTIONS' });
  expect(refusal('DELETE', '/admin/v1/keys/x').details.headers).toEqual({
    allow: 'GET, PATCH, HEAD, OPTIONS',
  });
});

test('retired addresses name their replacement for every method [VER-05, VER-06]', () => {
  const expected = {
    '/v1/complete': '/v1/messages',
    '/v1/engines': '/v1/models',
    '/v1/engines/davinci/completions': '/v1/models',
    '/v1/edits': '/v1/chat/completions',
    '/v1/answers': '/v1/chat/completions',
    '/v1/classifications': '/v1/chat/completions',
    '/v1/search': '/v1/embeddings',
  };
  for (const [path, replacement] of Object.entries(expected)) {
    for (const method of ['GET', 'POST', 'PUT']) {
      expect(refusal(method, path)).toMatchObject({ code: 'endpoint_retired', status: 410 });
      expect(refusal(method, path).message).toContain(replacement);
    }
  }
  expect(refusal('GET', '/v1/enginesque').code).toBe('not_found');
});

test('explains the right base URL if /v1 is missing or doubled [ERR-53]', () => {
  expect(refusal('POST', '/chat/completions').message).toContain('must end with /v1');
  expect(refusal('POST', '/v1/v1/chat/completions').message).toContain('twice');
  expect(refusal('GET', '/v1/v1/models/x').code).toBe('not_found');
  expect(refusal('GET', '/nothing').message).not.toContain('base URL');
});

test('a page gives way to an address of the API without its /v1, except for browsers [ERR-53]', () => {
  const page = (path: string): Route => ({ ...route('GET', path), isPage: true });
  const withPages = new Router([
    ...['/keys', '/models', '/models/{id*}'].map(page),
    route('GET', '/v1/models'),
    route('GET', '/v1/models/{id*}'),
  ]);
  expect(withPages.match('GET', '/keys')).toMatchObject({ route: '/keys' });
  expect((withPages.match('POST', '/keys') as Refusal).code).toBe('method_not_allowed');
  for (const path of ['/models', '/models/a/b']) {
    expect((withPages.match('GET', path) as Refusal).message).toContain(`/v1${path} does`);
    expect((withPages.match('POST', path) as Refusal).code).toBe('not_found');
    expect(withPages.matchPage('GET', path)?.route).toStartWith('/models');
    expect(withPages.matchPage('POST', path)).toBeUndefined();
  }
  expect(withPages.matchPage('GET', '/batches')).toBeUndefined();
});
