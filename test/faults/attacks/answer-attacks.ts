import { ask, CHAT, onConnections, userTurn, writeBody } from './ask.ts';
import type { Attack } from './attack.ts';

/** Requests answers of a model over many connections. */
const askFor = (path: string, model: string, connections: number): Attack['run'] => {
  const body = writeBody(model, { messages: userTurn('hello'), max_tokens: 8 });
  return (session) =>
    onConnections(session, connections, () =>
      ask(session, path, { headers: { 'x-api-key': session.key }, body }),
    );
};

/** Attacks with upstream answers that are deep or large. */
export const answerAttacks: readonly Attack[] = [
  {
    name: 'answers nested 100,000 deep',
    plan: 'enterprise',
    ms: 4_000,
    statuses: [503],
    models: ['deep-100000'],
    run: askFor(CHAT, 'deep-100000', 8),
  },
  {
    name: 'answers of 60 MB',
    plan: 'enterprise',
    ms: 8_000,
    statuses: [200, 503],
    models: ['whole-60'],
    run: askFor(CHAT, 'whole-60', 2),
  },
  {
    name: 'answers of 60 MB, translated',
    plan: 'enterprise',
    ms: 8_000,
    statuses: [200, 503, 529],
    models: ['whole-60'],
    run: askFor('/v1/messages', 'whole-60', 2),
  },
];
