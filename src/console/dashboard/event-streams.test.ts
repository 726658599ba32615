import { afterAll, expect, test } from 'bun:test';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { WrittenBody } from '../../edge/http/reply.ts';
import { LiveBoard } from '../../watch/live/live-board.ts';
import { LiveRequests } from '../../watch/live/live-requests.ts';
import type { GroupQuery, KeptGroup } from '../../watch/requests/request-store.ts';
import type { Audience } from './event-audience.ts';
import { type EventTopic, eventTopics } from './event-feed.ts';
import { EventStreams } from './event-streams.ts';

const kept: KeptGroup[] = [];
let reads = 0;
const store = {
  async listRequests({ after = 0, limit }: GroupQuery): Promise<KeptGroup[]> {
    reads++;
    return kept
      .filter(({ sequence }) => sequence > after)
      .reverse()
      .slice(0, limit);
  },
};
const failed = (error: unknown) => {
  throw error;
};
const now = () => 5_000;
const board = new LiveBoard({ now, failed });
const follower = new LiveRequests({ store, now, failed });
const streams = new EventStreams({ board, follower, now }, 20);
afterAll(() => streams.close());

function record(accountId: string, id: string): void {
  const line = { request_id: id, account: accountId, ended_at: 4_000, status: 200, provider: 'secret-host' };
  const about = { accountId, endedAt: 4_000, firstId: id, lastId: id, count: 1, lines: JSON.stringify(line) };
  kept.push({ ...about, sequence: kept.length + 1 });
}

const operator: Audience = { operator: 'owner', memberships: [], account: undefined };
const member: Audience = {
  operator: null,
  memberships: [{ accountId: 'acct_own', role: 'viewer' }],
  account: undefined,
};

type Options = { topics?: readonly EventTopic[]; last?: string; session?: string; isThere?: () => boolean };

/** Reads a stream as a page does. */
function listen(audience: Audience, options: Options = {}) {
  const { topics = eventTopics, last, session = 'one', isThere = () => true } = options;
  const leaving = new AbortController();
  const headers = new Headers(last === undefined ? {} : { 'last-event-id': last });
  let text = '';
  const body = streams.open({
    exchange: { request: { headers, signal: leaving.signal } } as unknown as Exchange,
    sessionId: session,
    topics: new Set(topics),
    audience,
    stillThere: async () => (isThere() ? audience : undefined),
  }).body as WrittenBody;
  const write = (piece: unknown): undefined => {
    text += String(piece);
  };
  const ended = body({ write });
  const until = async (sign: string): Promise<string> => {
    while (!text.includes(sign)) await Bun.sleep(5);
    return text;
  };
  return { until, ended, text: () => text, leave: () => leaving.abort() };
}

test('nobody reads the store while nobody listens', async () => {
  const page = listen(operator, { topics: ['operations'] });
  await page.until(': still here');
  expect(reads).toBe(0);
  page.leave();
  await page.ended;
});

test('operators see every request and fault, and members only what is of their organization', async () => {
  record('acct_own', 'req_before');
  const [all, own] = [listen(operator), listen(member)];
  await Promise.all([all.until('retry'), own.until(': still here')]);
  record('acct_other', 'req_other');
  record('acct_own', 'req_own');
  board.publish({ type: 'fault', account: null, data: { provider: 'local' } });
  board.publish({ type: 'budget', account: 'acct_other', data: { budget_id: 'bud_other' } });
  board.publish({ type: 'budget', account: 'acct_own', data: { budget_id: 'bud_own' } });
  const [everything, part] = [await all.until('req_own'), await own.until('req_own')];
  for (const sign of ['req_other', 'event: fault', 'bud_other', 'bud_own']) {
    expect(everything).toContain(sign);
    expect(part.includes(sign)).toBe(sign === 'bud_own');
  }
  expect(`${everything}${part}`).not.toContain('req_before');
  expect(`${everything}${part}`).not.toContain('secret-host');
  const id = /id: (\S+)\nevent: request\n[^\n]*req_own/.exec(part)![1]!;

  // A page that connects again gets what it missed, and nothing twice.
  own.leave();
  await own.ended;
  record('acct_own', 'req_missed');
  board.publish({ type: 'fault', account: null, data: {} });
  const again = listen(member, { last: id });
  const missed = await again.until('req_missed');
  expect(missed.match(/event: request/g)).toHaveLength(1);
  expect(missed).not.toContain('event: fault');
  for (const page of [all, again]) page.leave();
  await Promise.all([all.ended, again.ended]);
  const before = reads;
  await Bun.sleep(1_100);
  expect(reads).toBe(before);
});

test('a stream ends with its session, with the server, and when a session opens too many', async () => {
  let isThere = true;
  const page = listen(operator, { topics: ['operations'], isThere: () => isThere });
  await page.until(': still here');
  isThere = false;
  await page.ended;
  const many = Array.from({ length: 13 }, () => listen(operator, { topics: ['operations'], session: 'two' }));
  await many[0]!.ended;
  expect(streams.size).toBe(12);
  streams.close();
  await Promise.all(many.map(({ ended }) => ended));
  expect(streams.size).toBe(0);
});
