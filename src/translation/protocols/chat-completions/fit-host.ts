import type { Refusal } from '../../../base/errors/refusal.ts';
import { membersOf, patchJson } from '../../../base/json/patch-json.ts';
import type { JsonMember } from '../../../base/json/scan-json.ts';
import { elementsOf } from '../../../base/json/slice-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { type LossCode, lossCodesOf } from '../../canonical/loss.ts';
import type { Quirk } from '../../canonical/quirk.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { commonMembers, lossesOfMembers } from './host-members.ts';
import { asSystem, withReasoning, withThinkingInContent } from './rewrite-message.ts';
import { flagOfEffort } from './thinking-fields.ts';

/** A body that the host accepts, and what it has lost. */
export type Fitted = { body: string; losses: readonly LossCode[] };

type Fitting = {
  text: string;
  members: ReadonlyMap<string, JsonMember>;
  /** The new texts of members so far. Null removes a member. */
  patch: Record<string, string | null>;
  notes: EncodeNotes;
};

/** The change for a quirk. It notes a refusal if the answer would differ from the one asked for. */
type Remedy = (fitting: Fitting) => void;

/**
 * Adapts the body of a chat or completions request to the quirks of a host.
 * The rest of the body keeps its bytes.
 */
export function fitHost(body: string, quirks: readonly Quirk[]): Fitted | Refusal {
  const notes = new EncodeNotes();
  const fitting: Fitting = { text: body, members: membersOf(body), patch: {}, notes };
  for (const quirk of quirks) remedies[quirk]?.(fitting);
  const { members, patch } = fitting;
  return notes.refusal ?? { body: patchJson(body, members, patch), losses: lossCodesOf(notes) };
}

const textOf = ({ text, members }: Fitting, name: string): string | undefined => {
  const member = members.get(name);
  return member && text.slice(member.start, member.end);
};

/** Renames a member. A member that already has the new name takes precedence. */
const rename =
  (from: string, to: string): Remedy =>
  (fitting) => {
    const value = textOf(fitting, from);
    if (value === undefined) return;
    fitting.patch[from] = null;
    if (!fitting.members.has(to)) fitting.patch[to] = value;
  };

/** Rewrites each message, as an earlier quirk has left it, if the text of the messages contains the mark. */
const rewriteMessages =
  (mark: string, rewrite: (message: string) => string): Remedy =>
  (fitting) => {
    const messages = fitting.patch.messages ?? textOf(fitting, 'messages');
    if (messages?.includes(mark)) fitting.patch.messages = `[${elementsOf(messages).map(rewrite).join(',')}]`;
  };

const addReasoning = rewriteMessages('"assistant"', withReasoning);

/** The changes for the quirks that concern the body. */
const remedies: Readonly<Partial<Record<Quirk, Remedy>>> = {
  'max-completion-tokens-only': rename('max_tokens', 'max_completion_tokens'),
  'max-tokens-only': rename('max_completion_tokens', 'max_tokens'),
  'random-seed': rename('seed', 'random_seed'),
  'no-stream-options'({ patch }) {
    patch.stream_options = null;
  },
  'no-parallel-tool-calls'(fitting) {
    fitting.patch.parallel_tool_calls = null;
    if (textOf(fitting, 'parallel_tool_calls') === 'false') fitting.notes.lose('parallel-tool-calls');
  },
  'no-developer-role': rewriteMessages('"developer"', asSystem),
  'thinking-by-flag'(fitting) {
    const effort = textOf(fitting, 'reasoning_effort');
    if (effort === undefined) return;
    fitting.patch.reasoning_effort = null;
    for (const [name, value] of Object.entries(effort === 'null' ? {} : flagOfEffort(JSON.parse(effort))))
      if (!fitting.members.has(name)) fitting.patch[name] = value;
  },
  'thinking-in-content': rewriteMessages('"reasoning', withThinkingInContent),
  'replays-reasoning'(fitting) {
    const tools = textOf(fitting, 'tools');
    if (tools !== undefined && tools !== 'null') addReasoning(fitting);
  },
  'rejects-unknown-fields'(fitting) {
    for (const name of fitting.members.keys()) if (!commonMembers.has(name)) removeMember(fitting, name);
  },
};

function removeMember(fitting: Fitting, name: string): void {
  const value = textOf(fitting, name);
  if (name === 'logprobs' && value === 'true')
    fitting.notes.refuseField(name, 'the chosen model does not return log probabilities');
  fitting.patch[name] = null;
  const loss = lookUp(lossesOfMembers, name);
  if (loss !== undefined && value !== 'null') fitting.notes.lose(loss);
}
