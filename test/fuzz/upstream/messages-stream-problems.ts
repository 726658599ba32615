import type { Json } from '../../support/call.ts';
import { errorProblems } from '../envelope-problems.ts';
import { isNamed, type SseEvent } from './sse-events.ts';

type State = {
  phase: 'new' | 'open' | 'stopped' | 'ended';
  /** The number of the open block. */
  block: number | undefined;
  model: string;
};
type Step = (state: State, data: Json) => string | undefined;

/** The condition under which each event is in order. */
const steps: Record<string, Step> = {
  ping: () => undefined,
  message_start(state, { message }) {
    if (state.phase !== 'new') return 'a second message_start';
    state.phase = 'open';
    return message?.model === state.model && message.type === 'message' ? undefined : 'no message';
  },
  content_block_start(state, { index, content_block }) {
    if (state.phase !== 'open' || state.block !== undefined) return 'a block within another';
    if (typeof index !== 'number') return 'a block without a number';
    if (typeof content_block?.type !== 'string') return 'a block without a type';
    state.block = index;
    return undefined;
  },
  content_block_delta: ({ block }, { index, delta }) =>
    block !== undefined && index === block && typeof delta?.type === 'string'
      ? undefined
      : 'a delta of no open block',
  content_block_stop(state, { index }) {
    if (state.block === undefined || index !== state.block) return 'a stop of no open block';
    state.block = undefined;
    return undefined;
  },
  message_delta(state, { usage, delta }) {
    if (state.phase === 'new' || state.block !== undefined) return 'a message_delta too early';
    if (delta?.stop_reason) state.phase = 'stopped';
    return Number.isSafeInteger(usage?.output_tokens) ? undefined : 'a message_delta without usage';
  },
  message_stop(state) {
    const isInTime = state.phase === 'stopped';
    state.phase = 'ended';
    return isInTime ? undefined : 'a message_stop too early';
  },
};

/**
 * Lists the problems of a stream of a message. It is a sequence of blocks, and ends with `message_stop`, or
 * with an error as its last event.
 */
export function messagesStreamProblems(events: readonly SseEvent[], { model }: { model: string }): string[] {
  const state: State = { phase: 'new', block: undefined, model };
  for (const [at, { name, data }] of events.entries()) {
    if (!isNamed(name, data)) return [`an event named ${name} that is ${data?.type}`];
    if (state.phase === 'ended') return [`an event after the end: ${name}`];
    if (name === 'error')
      return at === events.length - 1 ? errorProblems(data.error) : ['an event after an error'];
    const problem = Object.hasOwn(steps, name!) ? steps[name!]!(state, data) : undefined;
    if (problem) return [`${problem}: ${JSON.stringify(data).slice(0, 300)}`];
  }
  return state.phase === 'ended' ? [] : ['a message without an end'];
}
