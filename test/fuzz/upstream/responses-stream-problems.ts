import { isObject } from '../../../src/base/lib/is-object.ts';
import type { Json } from '../../support/call.ts';
import { errorProblems } from '../envelope-problems.ts';
import { isNamed, type SseEvent } from './sse-events.ts';

const END = /^response\.(completed|incomplete|failed)$/;

const isResponse = (response: Json, model: string): boolean =>
  response?.model === model && Array.isArray(response.output);

/**
 * Lists the problems of a stream of a response. It numbers its events, opens each item before it closes it,
 * and ends with the whole response.
 */
export function responsesStreamProblems(
  events: readonly SseEvent[],
  { model, isTranslated }: { model: string; isTranslated: boolean },
): string[] {
  const open = new Set<number>();
  for (const [at, { name, data }] of events.entries()) {
    if (!isNamed(name, data)) return [`an event named ${name} that is ${data?.type}`];
    if (data.sequence_number !== at) return [`event ${at} has number ${data.sequence_number}`];
    if (isObject(data.response) && !isResponse(data.response, model))
      return [`no response: ${JSON.stringify(data).slice(0, 500)}`];
    if (name === 'response.output_item.added') open.add(data.output_index);
    if (name === 'response.output_item.done' && !open.delete(data.output_index) && isTranslated)
      return ['an item done that was not added'];
    if (END.test(name!) && at < events.length - 1) return [`an event after the end: ${events[at + 1]!.name}`];
    if (name === 'error') {
      const problems = errorProblems(data.error);
      if (problems.length > 0) return problems;
    }
  }
  const last = events.at(-1);
  if (!last || !END.test(last.name!)) return [`a response without an end: ${last?.name}`];
  if (last.name === 'response.failed') return [];
  const { usage } = last.data.response;
  const isCounted = Number.isSafeInteger(usage?.input_tokens) && Number.isSafeInteger(usage?.output_tokens);
  return [
    ...(isCounted ? [] : ['no usage']),
    ...(open.size === 0 || !isTranslated ? [] : ['items that are never done']),
  ];
}
