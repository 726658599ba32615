import { Refusal } from '../../../base/errors/refusal.ts';
import { membersOf, patchJson, patchPart } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import type { JsonMember } from '../../../base/json/scan-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { LossCode } from '../../canonical/loss.ts';
import type { Quirk } from '../../canonical/quirk.ts';
import { reasoningFields, THINKING_ITEM } from './reasoning-fields.ts';
import { flagOfEffort } from './thinking-fields.ts';

export type Fitted = { body: string; losses: readonly LossCode[] };

type Fitting = {
  text: string;
  members: ReadonlyMap<string, JsonMember>;
  patch: Record<string, string | null>;
  losses: Set<LossCode>;
};

/**
 * The change for a quirk. Returns a refusal if the change would produce a different
 * answer from the one asked for.
 */
type Remedy = (fitting: Fitting) => Refusal | undefined;

/**
 * Adapts the body of a chat or completions request to the quirks of a host.
 * The rest of the body keeps its bytes.
 */
export function fitHost(body: string, quirks: readonly Quirk[]): Fitted | Refusal {
  const fitting: Fitting = { text: body, members: membersOf(body), patch: {}, losses: new Set() };
  for (const quirk of quirks) {
    const refusal = remedies[quirk]?.(fitting);
    if (refusal) return refusal;
  }
  const { members, patch, losses } = fitting;
  return { body: patchJson(body, members, patch), losses: [...losses] };
}

const textOf = ({ text, members }: Fitting, name: string): string | undefined => {
  const member = members.get(name);
  return member && text.slice(member.start, member.end);
};

/** The messages, as an earlier quirk has left them. */
const messagesOf = (fitting: Fitting): string | undefined =>
  fitting.patch.messages ?? textOf(fitting, 'messages');

/** Renames a member. A member that already has the new name takes precedence. */
const rename =
  (from: string, to: string): Remedy =>
  (fitting) => {
    const value = textOf(fitting, from);
    if (value === undefined) return undefined;
    fitting.patch[from] = null;
    if (!fitting.members.has(to)) fitting.patch[to] = value;
    return undefined;
  };

const remedies: Partial<Record<Quirk, Remedy>> = {
  'max-completion-tokens-only': rename('max_tokens', 'max_completion_tokens'),
  'max-tokens-only': rename('max_completion_tokens', 'max_tokens'),
  'random-seed': rename('seed', 'random_seed'),
  'no-stream-options'({ patch }) {
    patch.stream_options = null;
    return undefined;
  },
  'no-parallel-tool-calls'(fitting) {
    fitting.patch.parallel_tool_calls = null;
    if (textOf(fitting, 'parallel_tool_calls') === 'false') fitting.losses.add('parallel-tool-calls');
    return undefined;
  },
  'no-developer-role'(fitting) {
    const messages = messagesOf(fitting);
    if (!messages?.includes('"developer"')) return undefined;
    fitting.patch.messages = `[${elementsOf(messages).map(asSystem).join(',')}]`;
    return undefined;
  },
  'thinking-by-flag'(fitting) {
    const effort = textOf(fitting, 'reasoning_effort');
    if (effort === undefined) return undefined;
    fitting.patch.reasoning_effort = null;
    for (const [name, value] of Object.entries(effort === 'null' ? {} : flagOfEffort(JSON.parse(effort))))
      if (!fitting.members.has(name)) fitting.patch[name] = value;
    return undefined;
  },
  'thinking-in-content'(fitting) {
    const messages = messagesOf(fitting);
    if (!messages?.includes('"reasoning')) return undefined;
    fitting.patch.messages = `[${elementsOf(messages).map(withThinkingInContent).join(',')}]`;
    return undefined;
  },
  'replays-reasoning'(fitting) {
    const tools = textOf(fitting, 'tools');
    const messages = messagesOf(fitting);
    if (tools === undefined || tools === 'null' || !messages?.includes('"assistant"')) return undefined;
    fitting.patch.messages = `[${elementsOf(messages).map(withReasoning).join(',')}]`;
    return undefined;
  },
  'rejects-unknown-fields'(fitting) {
    for (const name of fitting.members.keys()) {
      if (known.has(name)) continue;
      const value = textOf(fitting, name);
      if (name === 'logprobs' && value === 'true') return withoutLogprobs();
      fitting.patch[name] = null;
      const loss = lookUp(losses, name);
      if (loss !== undefined && value !== 'null') fitting.losses.add(loss);
    }
    return undefined;
  },
};

const asSystem = (message: string): string =>
  sliceJson(message, ['role']) === '"developer"' ? patchPart(message, { role: '"system"' }) : message;

/** Adds the thinking of an assistant's turn, which is empty if the client did not return it. */
function withReasoning(message: string): string {
  if (sliceJson(message, ['role']) !== '"assistant"') return message;
  const sent = sliceJson(message, ['reasoning_content']);
  if (sent !== undefined && sent !== 'null') return message;
  const other = sliceJson(message, ['reasoning']);
  return patchPart(message, { reasoning_content: other?.startsWith('"') ? other : '""' });
}

/** Moves the thinking of a turn into its content, the only place where such a host takes it. */
function withThinkingInContent(message: string): string {
  if (!message.includes('"reasoning')) return message;
  const value = objectOf(JSON.parse(message));
  const names = reasoningFields.filter((name) => name in value);
  if (names.length === 0) return message;
  const text = names.map((name) => value[name]).find((field) => typeof field === 'string' && field !== '');
  const { content } = value;
  const texts =
    typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : listOf(content);
  const thinking = { type: THINKING_ITEM, thinking: [{ type: 'text', text }] };
  return patchPart(message, {
    ...Object.fromEntries(names.map((name) => [name, null])),
    ...(text !== undefined && { content: JSON.stringify([thinking, ...texts]) }),
  });
}

const withoutLogprobs = (): Refusal =>
  new Refusal('route_not_qualified', {
    param: 'logprobs',
    message: 'logprobs: the chosen model does not return log probabilities',
  });

/** The members that every host of the protocol knows, and both names of members that some hosts rename. */
// biome-ignore format: a line for each group
const known: ReadonlySet<string> = new Set([
  'model', 'messages', 'prompt', 'suffix', 'stream', 'stream_options', 'n', 'stop',
  'max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'seed', 'random_seed',
  'presence_penalty', 'frequency_penalty', 'response_format', 'reasoning_effort',
  'tools', 'tool_choice', 'parallel_tool_calls',
]);

/** The losses from removed members that have a meaning. Other members are removed without a loss. */
const losses: Readonly<Record<string, LossCode>> = {
  audio: 'opaque-block',
  logit_bias: 'logit-bias',
  metadata: 'metadata',
  moderation: 'moderation',
  prediction: 'prediction',
  prompt_cache_options: 'cache-retention',
  prompt_cache_retention: 'cache-retention',
  safety_identifier: 'user-hint',
  service_tier: 'service-tier',
  store: 'store',
  top_k: 'top-k',
  user: 'user-hint',
  verbosity: 'verbosity',
};
