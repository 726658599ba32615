import { afterEach, expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { WrittenBody } from '../../edge/http/reply.ts';
import { LiveBoard } from '../../watch/live/live-board.ts';
import { LiveRequests } from '../../watch/live/live-requests.ts';
import type { GroupQuery, KeptGroup } from '../../watch/requests/request-store.ts';
import type { Audience } from './audience.ts';
import { EventStreams } from './event-streams.ts';
import { type EventTopic, eventTopics } from './event-topics.ts';

const LOOK_EVERY_MS = 5;
const COMMENT_EVERY_MS = 20;

const operator: Audience = { operator: 'owner', memberships: [], account: undefined };
const member: Audience = {
  operator: null,
  memberships: [{ accountId: 'acct_own', role: 'viewer' }],
  account: undefined,
};

type Installation = {
  streams: EventStreams;
  board: LiveBoard;
  /** Stores a request of an account. */
  record: (accountId: string, id: string) => void;
  /** Returns how often the requests were read. */
  reads: () => number;
};

const opened: Installation[] = [];
afterEach(() => {
  for (const { streams } of opened.splice(0)) streams.close();
});

/** Creates a store of requests, a board, and the streams that follow both. */
function createInstallation(): Installation {
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
  const onFailure = (error: unknown) => {
    throw error;
  };
  const now = () => 5_000;
  const board = new LiveBoard({ now, onFailure });
  const follower = new LiveRequests({ store, now, onFailure, lookEveryMs: LOOK_EVERY_MS });
  const streams = new EventStreams({ board, follower, now }, COMMENT_EVERY_MS);
  const record = (accountId: string, id: string): void => {
    const line = {
      request_id: id,
      account: accountId,
      ended_at: 4_000,
      status: 200,
      provider: 'secret-host',
    };
    const about = {
      accountId,
      endedAt: 4_000,
      firstId: id,
      lastId: id,
      count: 1,
      lines: JSON.stringify(line),
    };
    kept.push({ ...about, sequence: kept.length + 1 });
  };
  const installation = { streams, board, record, reads: () => reads };
  opened.push(installation);
  return installation;
}

type Options = {
  topics?: readonly EventTopic[];
  last?: string;
  session?: string;
  isThere?: () => boolean;
  audienceNow?: () => Audience;
};

/** Reads a stream as a page does. */
function listen({ streams }: Installation, audience: Audience, options: Options = {}) {
  const { topics = eventTopics, last, session = 'one', isThere = () => true } = options;
  const { audienceNow = () => audience } = options;
  const leaving = new AbortController();
  const headers = new Headers(last === undefined ? {} : { 'last-event-id': last });
  let text = '';
  const body = streams.open({
    exchange: partial<Exchange>({ request: partial({ headers, signal: leaving.signal }) }),
    sessionId: session,
    topics: new Set(topics),
    audience,
    currentAudience: async () => (isThere() ? audienceNow() : undefined),
  }).body as WrittenBody;
  const write = (piece: unknown): undefined => {
    text += String(piece);
  };
  const ended = body({ write });
  const until = async (sign: string): Promise<string> => {
    await waitFor(() => text.includes(sign));
    return text;
  };
  const leave = (): Promise<void> => {
    leaving.abort();
    return ended;
  };
  return { until, ended, leave, text: () => text };
}

/** Publishes requests, a fault and budgets of two organizations. The own request comes last. */
function publishAll({ board, record }: Installation): void {
  board.publish({ type: 'fault', account: null, data: { provider: 'local' } });
  board.publish({ type: 'budget', account: 'acct_other', data: { budget_id: 'bud_other' } });
  board.publish({ type: 'budget', account: 'acct_own', data: { budget_id: 'bud_own' } });
  record('acct_other', 'req_other');
  record('acct_own', 'req_own');
}

/** Listens to an installation that has a request already, and returns the stream until `req_own`. */
async function listenToAll(audience: Audience): Promise<string> {
  const installation = createInstallation();
  installation.record('acct_own', 'req_before');
  const page = listen(installation, audience);
  await page.until(': still here');
  publishAll(installation);
  return page.until('req_own');
}

test('nobody reads the store before a page listens to requests', async () => {
  const installation = createInstallation();
  await listen(installation, operator, { topics: ['operations'] }).until(': still here');
  expect(installation.reads()).toBe(0);
});

test('nobody reads the store after the last page has left', async () => {
  const installation = createInstallation();
  const page = listen(installation, operator);
  await waitFor(() => installation.reads() > 3);
  await page.leave();
  const reads = installation.reads();
  await Bun.sleep(10 * LOOK_EVERY_MS);
  expect(installation.reads()).toBe(reads);
});

test('operators see the requests, faults and budgets of every organization', async () => {
  const text = await listenToAll(operator);
  for (const sign of ['req_other', 'event: fault', 'bud_other', 'bud_own']) expect(text).toContain(sign);
});

test('members see the requests and budgets of their organization alone', async () => {
  const text = await listenToAll(member);
  expect(text).toContain('bud_own');
  for (const sign of ['req_other', 'event: fault', 'bud_other']) expect(text).not.toContain(sign);
});

test('a stream has only later requests, without their providers', async () => {
  const text = await listenToAll(operator);
  for (const sign of ['req_before', 'secret-host']) expect(text).not.toContain(sign);
});

test('a page that connects again gets only the events that it missed', async () => {
  const installation = createInstallation();
  const page = listen(installation, member);
  await page.until(': still here');
  publishAll(installation);
  const id = /id: (\S+)\nevent: request\n[^\n]*req_own/.exec(await page.until('req_own'))![1]!;
  await page.leave();
  installation.record('acct_own', 'req_missed');
  installation.board.publish({ type: 'fault', account: null, data: {} });
  installation.board.publish({ type: 'budget', account: 'acct_own', data: { budget_id: 'bud_missed' } });
  const missed = await listen(installation, member, { last: id }).until('req_missed');
  expect(missed.match(/event: request/g)).toHaveLength(1);
  expect(missed.match(/bud_\w+/g)).toEqual(['bud_missed']);
  expect(missed).not.toContain('event: fault');
});

test('a stream ends with its session', async () => {
  let isThere = true;
  const page = listen(createInstallation(), operator, { topics: ['operations'], isThere: () => isThere });
  await page.until(': still here');
  isThere = false;
  await page.ended;
});

test('a stream ends with its session although events come without a pause', async () => {
  const installation = createInstallation();
  let isThere = true;
  const page = listen(installation, operator, { topics: ['operations'], isThere: () => isThere });
  await page.until(': still here');
  const events = setInterval(() => installation.board.publish({ type: 'fault', account: null, data: {} }), 2);
  await page.until('event: fault');
  isThere = false;
  await page.ended.finally(() => clearInterval(events));
});

test('a member who was removed gets no event of the organization although events come without a pause', async () => {
  const installation = createInstallation();
  let current = member;
  const page = listen(installation, member, { topics: ['operations'], audienceNow: () => current });
  const publish = (name: string) =>
    installation.board.publish({ type: 'budget', account: 'acct_own', data: { name } });
  const events = setInterval(() => publish('before'), 2);
  await page.until('before');
  current = { ...member, memberships: [] };
  await Bun.sleep(10 * COMMENT_EVERY_MS);
  publish('after');
  clearInterval(events);
  await page.leave();
  expect(page.text()).not.toContain('after');
});

test('pages that open at once end a stream each, so that at most twelve stay', async () => {
  const installation = createInstallation();
  for (let page = 0; page < 14; page++) listen(installation, operator);
  await waitFor(() => installation.streams.size === 12);
});

test('a session has at most twelve streams', async () => {
  const installation = createInstallation();
  const pages = Array.from({ length: 13 }, () => listen(installation, operator, { topics: ['operations'] }));
  await pages[0]!.ended;
  expect(installation.streams.size).toBe(12);
});

test('all streams end with the server', async () => {
  const installation = createInstallation();
  const pages = ['one', 'two'].map((session) => listen(installation, operator, { session }));
  installation.streams.close();
  await Promise.all(pages.map(({ ended }) => ended));
  expect(installation.streams.size).toBe(0);
});
