import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { RefusedRequirement, Refuses } from '../canonical/refused-word.ts';
import type { Dialect } from '../contract/dialect.ts';
import { findPlace } from '../params/find-place.ts';
import { unmetRequirement } from './unmet-requirement.ts';

type DialectBody = { dialect: Pick<Dialect, 'needs'>; body: JsonObject };

/** Items and steps that the model made. */
const OF_MODEL = /_call$|^model_output$/;

const IMAGE = 'image:';

const DIRECTIVES: ReadonlySet<unknown> = new Set(['system', 'developer']);

/** Returns the member that holds the conversation. */
const turnsOf = (body: JsonObject): string =>
  ['messages', 'contents'].find((name) => body[name] !== undefined) ?? 'input';

/**
 * Reports whether the model would continue a turn of its own.
 * Directives and empty turns have no place among the turns of most wires.
 */
function isPrefilled(body: JsonObject): boolean {
  const last = listOf(body[turnsOf(body)]).findLast((turn) => {
    const { role, type = 'message' } = objectOf(turn);
    return type === 'message' ? !DIRECTIVES.has(role) && !isEmptyTurn(objectOf(turn)) : type !== 'reasoning';
  });
  const { role, type = 'message' } = objectOf(last);
  return type === 'message' ? role === 'assistant' || role === 'model' : OF_MODEL.test(textOf(type) ?? '');
}

const isEmptyTurn = ({ content, tool_calls, function_call, parts }: JsonObject): boolean =>
  listOf(parts).every(isEmptyText) &&
  listOf(tool_calls).length === 0 &&
  function_call == null &&
  (content == null || content === '' || (Array.isArray(content) && content.every(isEmptyText)));

const isEmptyText = (part: unknown): boolean => objectOf(part)['text'] === '';

const asksLogprobs = ({ logprobs, top_logprobs, include, generationConfig }: JsonObject): boolean =>
  logprobs === true ||
  objectOf(generationConfig).responseLogprobs === true ||
  typeof logprobs === 'number' ||
  (typeof top_logprobs === 'number' && top_logprobs > 0) ||
  listOf(include).includes('message.output_text.logprobs');

/** `find`: returns the member that has the requirement. `problem`: what the model does not do. */
type Finder = { find(request: DialectBody): string | undefined; problem: string };

/** The finders of requirements. `tools_on_chat` has no finder, since it only excludes a wire. */
const finders: Readonly<Record<Exclude<RefusedRequirement, 'tools_on_chat'>, Finder>> = {
  prefill: {
    find: ({ body }) => (isPrefilled(body) ? turnsOf(body) : undefined),
    problem: 'does not continue a last turn of the assistant',
  },
  forced_tool_choice: {
    find: ({ dialect, body }) => dialect.needs?.['forced-tool-choice']?.(body)?.path,
    problem: 'cannot be forced to call a tool',
  },
  logprobs: {
    find: ({ body }) => (asksLogprobs(body) ? 'logprobs' : undefined),
    problem: 'does not return log probabilities',
  },
};

/** Returns the refusal for the first requirement of a request that the target does not meet. */
export function refuseRequirement(request: DialectBody, refuses: Refuses): Refusal | undefined {
  if (refuses === undefined) return undefined;
  for (const word of refuses) {
    const finder = lookUp(finders, word) ?? imageFinder(word);
    const param = finder?.find(request);
    if (finder && param !== undefined) return unmetRequirement(param, finder.problem);
  }
  return undefined;
}

function imageFinder(word: string): Finder | undefined {
  if (!word.startsWith(IMAGE)) return undefined;
  const type = `image/${word.slice(IMAGE.length)}`;
  const isWanted = (part: JsonObject) => mediaTypeOf(part) === type;
  return {
    find({ body }) {
      const name = turnsOf(body);
      const place = findPlace(body[name], name, {
        isWanted,
        holders: ['content', 'source', 'output', 'parts', 'functionResponse', 'result'],
      });
      return place && name;
    },
    problem: `does not accept images of the type ${type}`,
  };
}

/** Returns the type of an image that is in the request itself. */
function mediaTypeOf({ type, source, image_url, inlineData, mime_type }: JsonObject): string | undefined {
  if (inlineData !== undefined) return textOf(objectOf(inlineData)['mimeType'])?.toLowerCase();
  if (type === 'image') return textOf(objectOf(source)['media_type'] ?? mime_type)?.toLowerCase();
  const url = textOf(image_url) ?? textOf(objectOf(image_url)['url']);
  return /^data:([^;,]+)/i.exec(url?.slice(0, 100) ?? '')?.[1]?.toLowerCase();
}
