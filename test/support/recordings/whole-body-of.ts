import type { Json } from '../call.ts';
import { joinMessage } from './read-messages-content.ts';
import type { AnswerRecording } from './recording.ts';

const FINISHED = /^response\.(completed|incomplete)$/;
/** Two answers in one file, and a last event whose text differs from its pieces. */
const UNLIKE = /openai-shell-(tool|container)\.1\.chunks/;

/**
 * Returns the whole body that is equivalent to a stream. Fixtures have one, and the streams of two wires
 * include it. Undefined if it is unknown.
 */
export function wholeBodyOf({ name, wire, stream, lines, whole }: AnswerRecording): string | undefined {
  if (!stream || whole !== undefined || UNLIKE.test(name)) return whole;
  const events: Json[] = lines.map((line) => JSON.parse(line));
  if (wire === 'openai-responses')
    return JSON.stringify(events.find(({ type }) => FINISHED.test(type)).response);
  return wire === 'anthropic-messages' ? JSON.stringify(wholeMessage(events)) : undefined;
}

function wholeMessage(events: readonly Json[]): Json {
  const [{ message }] = events;
  const { delta } = events.find(({ type }) => type === 'message_delta');
  return { ...message, ...delta, ...joinMessage(events) };
}
