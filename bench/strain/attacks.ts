import type { Attack } from './attack.ts';
import { dashboardFlood } from './dashboard-flood.ts';
import { idleStreams } from './idle-streams.ts';
import { signInFlood } from './sign-in-flood.ts';
import { stalledReaders, tricklingUploads, withheldBodies } from './slow-clients.ts';
import { CHAT, MESSAGES, sendAtOnce } from './strained-client.ts';
import {
  brotliBomb,
  chatBody,
  emptyArrays,
  escapedBody,
  longBody,
  manyChatTools,
  manyMessages,
  manyMessagesTools,
} from './straining-bodies.ts';

/** Below the largest body that the gateway accepts, which has 10 MB. */
const LARGE = 9_900_000;
const large60 = { model: 'whole-60' };
/** Messages requires this field. */
const translated = { max_tokens: 9 };

/** Sends a request several times at once. The body is made when the attack begins. */
const sends =
  (path: string, makeBody: () => string, times = 1): Attack =>
  (gateway) =>
    sendAtOnce(gateway, { path, body: makeBody() }, times);

const sendsBomb: Attack = (gateway) =>
  sendAtOnce(gateway, { path: CHAT, body: brotliBomb(), headers: { 'content-encoding': 'br' } }, 1);

/** The attacks from one address, by their names. */
export const attacks = {
  'body of 9.9 MB': sends(CHAT, () => longBody(LARGE)),
  'body of 9.9 MB, translated': sends(MESSAGES, () => longBody(LARGE, translated)),
  '10 MB of escapes': sends(CHAT, () => escapedBody('\\u0041', 1_650_000)),
  '10 MB of newlines': sends(CHAT, () => escapedBody('\\n', 4_950_000)),
  '10,000 messages': sends(CHAT, () => chatBody({ messages: manyMessages(10_000) })),
  '10,000 messages, translated': sends(MESSAGES, () =>
    chatBody({ messages: manyMessages(10_000), ...translated }),
  ),
  '10,000 tools': sends(CHAT, () => chatBody({ tools: manyChatTools(10_000) })),
  '10,000 tools, translated': sends(MESSAGES, () =>
    chatBody({ tools: manyMessagesTools(10_000), ...translated }),
  ),
  '490,000 values': sends(CHAT, () => chatBody({ metadata: emptyArrays(490_000) })),
  'brotli bomb': sendsBomb,
  'answer of 60 MB': sends(CHAT, () => chatBody(large60)),
  'answer of 60 MB, translated': sends(MESSAGES, () => chatBody({ ...large60, ...translated })),
  '10 answers of 60 MB, translated': sends(MESSAGES, () => chatBody({ ...large60, ...translated }), 10),
  'idle streams': idleStreams(CHAT),
  'idle streams, translated': idleStreams(MESSAGES),
  'trickling uploads': tricklingUploads,
  '1,500 bodies withheld': withheldBodies,
  '500 stalled readers': stalledReaders,
  '150 bodies of 9.9 MB': sends(CHAT, () => longBody(LARGE), 150),
  '500 bodies of 9.9 MB': sends(CHAT, () => longBody(LARGE), 500),
} satisfies Readonly<Record<string, Attack>>;

/** The attacks that come from many addresses, which a trusted proxy reports. */
export const proxiedAttacks = {
  'sign-ins of one /56': signInFlood,
  'pages of one member': dashboardFlood,
} satisfies Readonly<Record<string, Attack>>;
