import { expect, test } from 'bun:test';
import type { Exchange } from '../../edge/http/exchange.ts';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { BodyWriter } from '../../edge/http/reply.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { PayloadLogging } from './payload-logging.ts';
import type { Payload } from './payload-store.ts';
import { redactContent } from './redact-content.ts';
import { RedactionThread } from './redaction-thread.ts';

const snapshot = sampleSnapshot();
const KEY = `svc_live_${'a1'.repeat(22)}`;

function setUp(
  fields: {
    redact?: { pattern: string; replacement: string }[];
    thread?: RedactionThread;
    accounts?: () => Promise<string[]>;
    onFailure?: (error: unknown) => void;
  } = {},
) {
  const payloads: Payload[] = [];
  const accounts = new Set<string>();
  const logging = new PayloadLogging({
    store: {
      payloadAccounts: fields.accounts ?? (async () => [...accounts]),
      setPayloadLogging: async (id, isOn) => void (isOn ? accounts.add(id) : accounts.delete(id)),
      addPayloads: async (added) => void payloads.push(...added),
      findPayload: async (accountId, requestId) =>
        payloads.find((one) => one.accountId === accountId && one.requestId === requestId),
      deletePayloads: async () => payloads.splice(0).length,
      sweepPayloads: async () => 0,
    },
    now: () => 1_000,
    config: () => ({ kept_s: 60, max_kb: 1, max_requests: 10, redact: fields.redact ?? [] }),
    onFailure:
      fields.onFailure ??
      ((error) => {
        throw error;
      }),
    ...(fields.thread && { thread: fields.thread }),
  });
  return { logging, payloads };
}

const exchangeOf = (accountId: string) => sampleExchange({ accountId, requestId: 'req_1' });

const NOWHERE: BodyWriter = { write: () => undefined };

async function pass(exchange: Exchange, body: string[] | string): Promise<void> {
  const shown = exchange.capture?.watch(
    typeof body === 'string'
      ? body
      : async (writer) => {
          for (const piece of body) await writer.write(piece);
        },
  );
  if (typeof shown === 'function') await shown(NOWHERE);
  exchange.capture?.end();
}

test('only the content of accounts with payload logging is copied', async () => {
  const { logging, payloads } = setUp();
  const off = exchangeOf('acct_off');
  logging.begin(off, 'hello');
  expect(off.capture).toBeUndefined();
  await logging.set('acct_on', true);
  const on = exchangeOf('acct_on');
  logging.begin(on, 'hello');
  await pass(on, 'one two');
  await logging.close();
  expect(payloads.map(({ accountId, content }) => [accountId, JSON.parse(content)])).toEqual([
    ['acct_on', { request: 'hello', answer: 'one two', isRequestCut: false, isAnswerCut: false }],
  ]);
  expect(await logging.find('acct_on', 'req_1')).toMatchObject({ request: 'hello', expiresAt: 61_000 });
});

test('a store that is away is no loss of content while no account has payload logging', async () => {
  let isAway = true;
  const failures: unknown[] = [];
  const { logging } = setUp({
    onFailure: (error) => failures.push(error),
    accounts: async () => {
      if (isAway) throw new Error('away');
      return ['acct_on'];
    },
  });
  await logging.refresh();
  expect(failures).toEqual([]);
  isAway = false;
  await logging.refresh();
  isAway = true;
  await logging.refresh();
  expect(failures).toHaveLength(1);
  await logging.close();
});

test('items of batches are kept with the same bounds in fewer places', async () => {
  const { logging, payloads } = setUp();
  const item = (accountId: string, number: number) =>
    sampleExchange({
      requestId: `req_${number}`,
      snapshot,
      notes: Object.assign(new ExchangeNotes(), { accountId }),
    });
  logging.keepItem(item('acct_on', 0), 'hello', () => 'not recorded yet');
  await logging.set('acct_on', true);
  logging.keepItem(item('acct_off', 1), 'hello', () => {
    throw new Error('nobody needs the answer');
  });
  for (let number = 2; number < 102; number++)
    logging.keepItem(item('acct_on', number), 'x'.repeat(2_000), () => `answer ${number}`);
  expect(logging.dropped).toBeGreaterThan(0);
  const beside = exchangeOf('acct_on');
  logging.begin(beside, 'a request beside the batch');
  await pass(beside, 'fine');
  await logging.close();
  expect(payloads.length).toBe(101 - logging.dropped);
  const { request, answer, isRequestCut } = JSON.parse(payloads[0]!.content);
  expect(payloads[0]!.requestId).toBe('req_2');
  expect(request).toHaveLength(1_024);
  expect({ answer, isRequestCut }).toEqual({ answer: 'answer 2', isRequestCut: true });
  expect(payloads.at(-1)!.requestId).toBe('req_1');
});

test('a stream is copied as it is written, up to the bound', async () => {
  const { logging, payloads } = setUp();
  await logging.set('acct_on', true);
  const exchange = exchangeOf('acct_on');
  logging.begin(exchange, 'x'.repeat(2_000));
  await pass(exchange, ['a'.repeat(1_000), 'b'.repeat(1_000), 'c']);
  await logging.close();
  const { request, answer, ...cut } = JSON.parse(payloads[0]!.content);
  expect({ length: request.length, answer }).toEqual({
    length: 1_024,
    answer: 'a'.repeat(1_000) + 'b'.repeat(24),
  });
  expect(cut).toEqual({ isRequestCut: true, isAnswerCut: true });
});

test('keys and what the rules name are removed before the content is stored', async () => {
  const { logging, payloads } = setUp({
    redact: [{ pattern: '\\d{3}-\\d{2}-\\d{4}', replacement: '[ssn]' }],
  });
  await logging.set('acct_on', true);
  const exchange = exchangeOf('acct_on');
  logging.begin(exchange, `my number is 123-45-6789, my key ${KEY}`);
  await pass(exchange, `again: 123-45-6789 ${KEY}`);
  await logging.close();
  expect(JSON.parse(payloads[0]!.content)).toMatchObject({
    request: 'my number is [ssn], my key svc_[redacted]',
    answer: 'again: [ssn] svc_[redacted]',
  });
  expect(redactContent('a1b2', [{ pattern: '\\d', replacement: '$&' }])).toBe('a$&b$&');
});

test('the content is withheld if an expression backtracks without end', async () => {
  const redact = [{ pattern: '^(a|aa|a*)+$', replacement: '' }];
  const thread = new RedactionThread(undefined, 200);
  const { logging, payloads } = setUp({ redact, thread });
  await thread.redact(['warm'], []);
  await logging.set('acct_on', true);
  const exchange = exchangeOf('acct_on');
  logging.begin(exchange, `${'a'.repeat(60)}!`);
  await pass(exchange, 'fine');
  await logging.close();
  const content = JSON.parse(payloads[0]!.content);
  expect({ request: content.request, answer: content.answer }).toEqual({ request: '', answer: '' });
  expect(content.withheld).toMatch(/^redaction_/);
  expect(await thread.redact(['the next one is redacted again'], [])).toEqual([
    'the next one is redacted again',
  ]);
  thread.close();
});

test('nothing is stored of requests that end after payload logging was turned off', async () => {
  const { logging, payloads } = setUp();
  await logging.set('acct_on', true);
  const exchange = exchangeOf('acct_on');
  logging.begin(exchange, 'hello');
  await logging.set('acct_on', false);
  await pass(exchange, 'one');
  await logging.close();
  expect(payloads).toEqual([]);
});

test('content that is written while the content of its account is deleted does not stay', async () => {
  const { logging, payloads } = setUp();
  await logging.set('acct_on', true);
  for (let request = 0; request < 32; request++) {
    const exchange = exchangeOf('acct_on');
    logging.begin(exchange, 'hello');
    await pass(exchange, 'one');
  }
  expect(await logging.delete('acct_on')).toBe(32);
  await logging.close();
  expect(payloads).toEqual([]);
});

test('the beginning of a key at the end of a cut text is removed too', async () => {
  const { logging, payloads } = setUp();
  await logging.set('acct_on', true);
  const exchange = exchangeOf('acct_on');
  logging.begin(exchange, `${'x '.repeat(500)}${KEY}`);
  await pass(exchange, `${'y '.repeat(500)}Bearer abc${'d'.repeat(100)}`);
  await logging.close();
  expect(JSON.parse(payloads[0]!.content)).toMatchObject({
    request: `${'x '.repeat(500)}[redacted]`,
    answer: `${'y '.repeat(500)}[redacted]`,
  });
});
