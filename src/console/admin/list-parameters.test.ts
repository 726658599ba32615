import { afterAll, expect, test } from 'bun:test';
import { startAdminServer } from './testing/test-admin-server.ts';

const { close, call, callWith, newAccount, routes } = await startAdminServer();
afterAll(close);

const account = await newAccount();
await call(`POST /accounts/${account}/grants`, { credits: 1, reason: 'test' });
const fields = { account_id: account, scope: 'organization', window: 'day', limit_usd: 1 };
const budget: string = (await call('POST /budgets', fields)).body.id;
const pathOf = (path: string): string =>
  path.replace('/admin/v1', '').replace('{id}', path.includes('/budgets/') ? budget : account);
const lists = routes.filter(
  ({ method, describe }) => method === 'GET' && describe?.summary.startsWith('Lists'),
);
const isPaged = ({ describe }: (typeof lists)[number]): boolean =>
  describe?.query?.some(({ name }) => name === 'limit') ?? false;

const expectFault = async (path: string, param: string): Promise<string> => {
  const { status, body } = await call(`GET ${path}`);
  expect({ path, status, code: body.error?.code, param: body.error?.param }).toEqual({
    path,
    status: 400,
    code: 'invalid_request',
    param,
  });
  expect(body.error.message).toMatch(/[.?]$/);
  return body.error.message;
};

test('there are lists with pages and lists without', () => {
  expect(lists.filter(isPaged).length).toBeGreaterThanOrEqual(4);
  expect(lists.filter((list) => !isPaged(list)).length).toBeGreaterThanOrEqual(4);
});

for (const route of lists.filter(isPaged)) {
  test(`${route.path} checks limit and after`, async () => {
    const path = pathOf(route.path);
    expect((await call(`GET ${path}?limit=1`)).status).toBe(200);
    for (const limit of ['0', '1001', '-1', '1.5', 'ten', ''])
      await expectFault(`${path}?limit=${limit}`, 'limit');
    for (const after of ['', 'nothing', 'acct_none', 'aud_none', 'aud_9999999999999999'])
      await expectFault(`${path}?after=${after}`, 'after');
  });
}

for (const route of lists.filter((list) => !isPaged(list))) {
  test(`${route.path} has no pages and refuses limit and after`, async () => {
    const path = pathOf(route.path);
    expect((await call(`GET ${path}`)).status).toBe(200);
    for (const name of ['limit', 'after']) await expectFault(`${path}?${name}=1`, name);
  });
}

test('every address refuses unknown and repeated query parameters, before it changes anything', async () => {
  expect(await expectFault('/accounts?lmit=1', 'lmit')).toBe(
    "'lmit' is not a known query parameter; did you mean 'limit'?",
  );
  expect(await expectFault('/accounts?beta=true', 'beta')).toBe(
    "'beta' is not a known query parameter; this address accepts search, limit and after.",
  );
  await expectFault('/accounts?limit=1&limit=2', 'limit');
  for (const { method, path } of routes) {
    const { status, body } = await call(
      `${method} ${pathOf(path)}?unknown=1`,
      method === 'GET' ? undefined : {},
    );
    expect({ method, path, status, param: body.error.param }).toEqual({
      method,
      path,
      status: 400,
      param: 'unknown',
    });
  }
  expect((await call(`GET /accounts/${account}`)).body.status).toBe('active');
});

test('a request without the token is refused before its query is read', async () => {
  expect((await callWith({})('GET /accounts?unknown=1', undefined, {})).status).toBe(401);
});

test('an unknown provider or model is answered with the one that is probably meant', async () => {
  const messageOf = async (path: string) => (await call(`GET ${path}`)).body.error.message;
  expect(await messageOf('/providers/locl')).toBe("There is no such provider; did you mean 'local'?");
  expect(await messageOf('/providers/else')).toBe('There is no such provider.');
  expect(await messageOf('/catalog/smal')).toMatch(
    /^There is no such model(\.|; did you mean '@svc\/small'\?)$/,
  );
  expect(await messageOf('/catalog/@svc%2Fsmal')).toBe("There is no such model; did you mean '@svc/small'?");
});
