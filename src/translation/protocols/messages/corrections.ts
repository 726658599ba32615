import { Refusal } from '../../../base/errors/refusal.ts';
import { type JsonPatch, membersOf } from '../../../base/json/patch-json.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Loss, LossCode } from '../../canonical/loss.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { encodeRequest } from './encode-request.ts';
import { takesSystemTurns } from './takes-system-turns.ts';

const TURN_MEMBERS = ['messages', 'system'];
/** The members that affect the thinking budget or depend on thinking. */
const THINKING_MEMBERS = [
  'max_tokens',
  'thinking',
  'output_config',
  'output_format',
  'temperature',
  'top_p',
  'top_k',
];

/** The losses that belong to these members. All others belong to the turns. */
const THINKING_LOSSES: ReadonlySet<LossCode> = new Set<LossCode>([
  'effort-lowered',
  'sampling',
  'thinking-budget',
  'top-k',
]);

type Corrections = { patch: JsonPatch; losses: Loss[] };

const NONE: Corrections = { patch: {}, losses: [] };

/**
 * Computes the changes to a request that the gateway accepts and the vendor refuses: roles within the turns,
 * empty turns, or unsupported limits and thinking. Only the refused members are encoded again.
 * The rest stays as the client sent it.
 */
export function corrections(body: Fields, canonical: CanonicalRequest, target: EncodeTarget): Corrections {
  const turnsFit = takesTurns(body.messages, takesSystemTurns(target));
  const keepsTurns = (turnsFit || listOf(body.messages).some(isDirective)) && saysSomething(body.system);
  const keepsThinking = takesThinking(body, target);
  if (keepsTurns && keepsThinking) return NONE;
  const encoded = encodeRequest(canonical, target);
  if (encoded instanceof Refusal) return NONE; // the vendor's own error then describes the problem
  const names = [...(keepsTurns ? [] : TURN_MEMBERS), ...(keepsThinking ? [] : THINKING_MEMBERS)];
  const members = membersOf(encoded.body);
  const textAt = (name: string): string | null => {
    const place = members.get(name);
    return place ? encoded.body.slice(place.start, place.end) : null;
  };
  return {
    patch: Object.fromEntries(names.map((name) => [name, textAt(name)])),
    losses: encoded.losses.filter(({ code }) => !(THINKING_LOSSES.has(code) ? keepsThinking : keepsTurns)),
  };
}

/**
 * Reports whether the turns can stay: the user's first, in alternation, and with content. A system message
 * can only stand between a turn of the user and the next turn of the assistant.
 */
function takesTurns(messages: unknown, takesSystem: boolean): boolean {
  let previous: unknown = 'assistant'; // the first turn must be the user's
  return listOf(messages).every((message) => {
    const { role, content } = objectOf(message);
    const isInOrder =
      role === 'user'
        ? previous === 'assistant'
        : (role === 'assistant' && previous !== 'assistant') ||
          (takesSystem && role === 'system' && previous === 'user');
    previous = role;
    return isInOrder && content != null && content !== '' && saysSomething(content);
  });
}

/**
 * Returns true for a system message that only the vendor's newer contract has. It changes tools or the
 * effort, so the request is for a model that takes such messages.
 */
function isDirective(message: unknown): boolean {
  const { role, content, output_config, clear_at } = objectOf(message);
  if (role !== 'system') return false;
  const changes = listOf(content).some((block) => objectOf(block).type !== 'text');
  return changes || output_config != null || clear_at != null;
}

/** Returns false for an empty text and for an error without content, which the vendor refuses. */
const saysSomething = (content: unknown): boolean =>
  !Array.isArray(content) ||
  content.map(objectOf).every((block) => block.text !== '' && !isEmptyError(block));

const isEmptyError = ({ type, is_error, content }: Fields): boolean =>
  type === 'tool_result' &&
  is_error === true &&
  (content == null || content === '' || (Array.isArray(content) && content.every(isEmptyText)));

const isEmptyText = (block: unknown): boolean => objectOf(block).text === '';

/** Reports whether the ceiling, the effort and the thinking can stay. */
function takesThinking(body: Fields, { reasoning, reasoningEfforts, maxOutput }: EncodeTarget): boolean {
  const { max_tokens, thinking, output_config } = body;
  const ceiling = Number(max_tokens);
  if (ceiling > (maxOutput ?? ceiling)) return false;
  const effort = textOf(objectOf(output_config).effort);
  if (effort !== undefined && !reasoningEfforts.includes(effort)) return false;
  const { type, budget_tokens } = objectOf(thinking);
  if (!reasoning) return type === undefined;
  return type !== 'enabled' || (typeof budget_tokens === 'number' && budget_tokens < ceiling);
}
