import { expect, test } from 'bun:test';
import type { CallRecord } from './call-record.ts';
import { costOf } from './cost.ts';
import { drawRequest, type SoakRequest } from './draw-request.ts';
import { type Evidence, judge } from './judge.ts';
import type { SentRequest } from './sent-request.ts';
import type { SoakEntry } from './soak-entry.ts';

const SEED = 7;
const SENT_AT = 1_000_000;
const usage = { input: 1_003, cacheRead: 501, output: 207 };

const numberOf = (isIt: (request: SoakRequest) => boolean): number => {
  for (let number = 0; ; number++) if (isIt(drawRequest(SEED, number))) return number;
};
const isSingle = ({ prompts, answers, isStream, model }: SoakRequest) =>
  isStream && prompts.length * answers === 1 && model === 'plain-chat';
const number = numberOf(isSingle);
const request = drawRequest(SEED, number);
const other = numberOf((one) => isSingle(one) && one.number !== number && one.payer === request.payer);

const sent: SentRequest = {
  number,
  payer: request.payer,
  keyId: 'key',
  sentAt: SENT_AT,
  endedAt: SENT_AT + 2_000,
  ending: 'complete',
  requestId: 'req',
  error: undefined,
  finished: [0],
  received: [0],
  usage: undefined,
};
const call: CallRecord = {
  number,
  prompt: 0,
  model: request.model,
  wire: 'openai-chat',
  isStream: true,
  fault: undefined,
  ending: 'complete',
  isAllSent: true,
  usage,
  reportsUsage: true,
  hidden: 0,
  headAt: SENT_AT + 10,
  endedAt: SENT_AT + 1_900,
  produced: [
    [SENT_AT + 20, 100],
    [SENT_AT + 1_000, usage.output],
  ],
};
const entryWith = (tokens: typeof usage, fields: Partial<SoakEntry> = {}): SoakEntry => ({
  requestId: 'req',
  keyId: 'key',
  at: SENT_AT + 1,
  model: request.model,
  served: request.model,
  outcome: 'complete',
  input: tokens.input,
  cached: tokens.cacheRead,
  output: tokens.output,
  shortfall: 0,
  microcredits: costOf(tokens, request, request.model),
  isEstimated: false,
  ...fields,
});
const entry = entryWith(usage);

const kinds = (changed: Partial<Evidence>) =>
  judge({
    seed: SEED,
    sent: [sent],
    calls: [call],
    entries: [entry],
    kills: [],
    graceMs: 1_000,
    slowestPingMs: 20,
    ...changed,
  }).map(({ kind }) => kind);

test("accepts a complete reply only at the upstream's count", () => {
  expect(kinds({})).toEqual([]);
  expect(kinds({ entries: [] })).toEqual(['unbilled']);
  expect(kinds({ entries: [entry, entry] })).toEqual(['twice']);
  for (const by of [-1, 1])
    expect(kinds({ entries: [{ ...entry, microcredits: entry.microcredits + by }] })).toHaveLength(1);
  expect(kinds({ entries: [{ ...entry, isEstimated: true }] })).toEqual(['wrongly-estimated']);
  expect(kinds({ entries: [entry, { ...entry, requestId: 'req2', keyId: 'other' }] })).toEqual(['nobodys']);
  expect(kinds({ entries: [{ ...entry, keyId: 'other' }] })).toEqual(['of-another-key']);
  expect(kinds({ sent: [{ ...sent, usage: { input: 1, cached: 0, output: 1 } }] })).toEqual([
    'shown-otherwise',
  ]);
});

test('accepts no charge for an abandoned call of a complete reply with several answers', () => {
  const several = numberOf(
    ({ dialect, answers, isStream, model }) =>
      dialect === 'chat' && answers === 2 && isStream && model === 'plain-messages',
  );
  const asked = drawRequest(SEED, several);
  const part: CallRecord = { ...call, number: several, model: asked.model, wire: 'anthropic-messages' };
  const givenUp: CallRecord = { ...part, ending: 'closed', isAllSent: false, endedAt: SENT_AT + 1_100 };
  const unread: CallRecord = { ...part, ending: 'closed', isAllSent: true };
  const both = { input: 2 * usage.input, cacheRead: 2 * usage.cacheRead, output: 2 * usage.output };
  const billed: SoakEntry = {
    ...entryWith(both, { model: asked.model, served: asked.model }),
    microcredits: costOf(both, asked, asked.model),
  };
  const whole: SentRequest = { ...sent, number: several, payer: asked.payer };
  const charged = (...calls: CallRecord[]) => kinds({ sent: [whole], calls, entries: [billed] });
  expect(charged(part, part)).toEqual([]);
  expect(charged(part, givenUp, part)).toEqual([]);
  expect(charged(part, unread)).toEqual([]); // the gateway does not wait for data after the last token
  expect(charged(part, givenUp)).toEqual(['wrong']);
});

test('accepts no charge for a failure', () => {
  const refused: SentRequest = { ...sent, ending: 'refused', error: '503 server_error upstream_unavailable' };
  const failed: CallRecord = { ...call, ending: 'failed', fault: 'cut' };
  expect(kinds({ sent: [refused], calls: [failed] })).toEqual(['billed-for-nothing']);
  expect(kinds({ sent: [{ ...sent, ending: 'error' }], calls: [failed], entries: [] })).toEqual([]);
  expect(kinds({ sent: [{ ...sent, ending: 'cut' }], entries: [] })).toContain('broken-off');
});

test("accepts a charge for the delivered part before the request's own error", () => {
  const failed: CallRecord = { ...call, ending: 'failed', fault: 'error-400' };
  const received = [request.prompts[0]!.output.length];
  const evidence = { sent: [{ ...sent, ending: 'error' as const, finished: [], received }], calls: [failed] };
  expect(kinds(evidence)).toEqual([]);
  expect(kinds({ ...evidence, entries: [] })).toEqual(['unbilled']);
});

test('accepts between 90 and 110 % of the output that a client left behind', () => {
  const left: SentRequest = { ...sent, ending: 'left', endedAt: SENT_AT + 1_200 };
  const closed: CallRecord = { ...call, ending: 'closed', usage: { ...usage, output: 900 } };
  const charged = (share: number, others: readonly SentRequest[] = []) =>
    kinds({
      sent: [...others, left],
      calls: [closed, ...others.map(() => ({ ...call, number: other }))],
      entries: [
        { ...entry, isEstimated: true, microcredits: Math.round(entry.microcredits * share) },
        ...others.map(() => ({ ...entry, requestId: 'before' })),
      ],
    });
  expect([charged(0.92), charged(1), charged(1.08)]).toEqual([[], [], []]);
  expect(charged(0.88)).toEqual(['charged-short']);
  // The reply to another prompt does not show the cached share of this one.
  const before = { ...sent, number: other, requestId: 'before', sentAt: SENT_AT - 20, endedAt: SENT_AT - 10 };
  expect([charged(1.12), charged(1.12, [before])]).toEqual([[], []]);
  expect(kinds({ sent: [left], calls: [closed], entries: [] })).toEqual(['unbilled']);
  // Its usage came while it was waited for: then it is exact.
  const reportedInTime = { ...call, endedAt: left.endedAt + 500 };
  const half = entryWith({ ...usage, output: 100 }, { isEstimated: true });
  expect(kinds({ sent: [left], calls: [reportedInTime], entries: [half] })).toEqual([
    'wrong',
    'wrongly-estimated',
  ]);
});

test('accepts that a kill loses only unwritten output', () => {
  const cut: SentRequest = { ...sent, ending: 'cut', requestId: undefined };
  const closed: CallRecord = { ...call, ending: 'closed', endedAt: SENT_AT + 2_000 };
  expect(kinds({ sent: [cut], calls: [closed], entries: [], kills: [SENT_AT + 2_000] })).toEqual([]);
  const lasted = {
    sent: [{ ...cut, endedAt: SENT_AT + 9_000 }],
    calls: [{ ...closed, endedAt: SENT_AT + 9_000 }],
  };
  expect(kinds({ ...lasted, entries: [], kills: [SENT_AT + 9_000] })).toEqual(['unbilled']);
  expect(kinds({ ...lasted, kills: [SENT_AT + 9_000] })).toEqual([]);
});
