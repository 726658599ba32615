import { lookUp } from '../../base/lib/records.ts';
import { afterSummary } from '../model/after-summary.ts';
import { BadInput } from '../model/bad-input.ts';
import type { Field } from '../model/field.ts';
import { joinTurns } from '../model/join-turns.ts';
import {
  PLAIN_PROMPT,
  type Prompt,
  type PromptCompaction,
  type PromptFormat,
  type PromptReasoning,
  type PromptTurn,
} from '../model/prompt.ts';
import type { MarkedPart } from '../model/prompt-part.ts';
import { readResponsesContent } from './read-responses-content.ts';
import { readResponsesToolChoice, readResponsesTools } from './read-responses-tools.ts';
import { openSummary } from './seal-summary.ts';

/** The minimum output limit of this vendor. */
const MIN_TOKENS = 16;

type Item = { system: string } | { turn: PromptTurn } | undefined;

/** The vendor's own threshold is not documented. */
const USUAL_THRESHOLD = 200_000;

/** Reads a request of the Responses API, and refuses what the vendor refuses. */
export function readOpenaiResponses(body: Field): Prompt {
  const previous = body.at('previous_response_id').optionalText();
  if (previous !== undefined) {
    const message = `Previous response with id '${previous}' not found.`;
    throw new BadInput(message, 'previous_response_id', 'previous_response_not_found');
  }
  const items = readInput(body.at('input'));
  const system = items.flatMap((item) => (item && 'system' in item ? [item.system] : []));
  // These two are only validated, like the name of a format below. Answers do not depend on them.
  body.at('temperature').number({ min: 0, max: 2, whole: false });
  body.at('top_p').number({ min: 0, max: 1, whole: false });
  return {
    ...PLAIN_PROMPT,
    system: [body.at('instructions').optionalText() ?? '', ...system].filter(Boolean).join('\n'),
    turns: afterSummary(joinTurns(items.flatMap((item) => (item && 'turn' in item ? [item.turn] : [])))),
    compaction: readCompaction(body),
    tools: readResponsesTools(body),
    toolChoice: readResponsesToolChoice(body.at('tool_choice')),
    allowsParallelCalls: body.at('parallel_tool_calls').value !== false,
    maxTokens: body.at('max_output_tokens').number({ min: MIN_TOKENS }),
    format: readFormat(body.at('text').at('format')),
    reasoning: readReasoning(body.at('reasoning')),
  };
}

function readInput(input: Field): Item[] {
  if (input.isText()) return [{ turn: { role: 'user', parts: [{ kind: 'text', text: input.text() }] } }];
  return input.someItems().map((item) => {
    const type = item.at('type').optionalText() ?? 'message';
    return lookUp(ITEM_READERS, type)?.(item);
  });
}

const spoken = (part: MarkedPart): Item => ({ turn: { role: 'assistant', parts: [part] } });

const ITEM_READERS: Record<string, (item: Field) => Item> = {
  message: readMessage,
  function_call: (item) => readCall(item, 'arguments'),
  custom_tool_call: (item) => readCall(item, 'input'),
  function_call_output: readOutput,
  custom_tool_call_output: readOutput,
  reasoning: readThought,
  compaction: readSummary,
  item_reference: (item) => item.fail(`Item with id '${item.at('id').text()}' not found.`),
};

function readMessage(item: Field): Item {
  const role = item.at('role').oneOf(['user', 'assistant', 'system', 'developer']);
  const parts = readResponsesContent(item.at('content'));
  if (role === 'user' || role === 'assistant') return { turn: { role, parts } };
  return { system: parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n') };
}

const readCall = (item: Field, inputName: string): Item =>
  spoken({
    kind: 'tool-call',
    id: item.at('call_id').text(),
    name: item.at('name').text(),
    input: item.at(inputName).text(),
  });

function readOutput(item: Field): Item {
  const parts = readResponsesContent(item.at('output'));
  return {
    turn: {
      role: 'user',
      parts: [{ kind: 'tool-result', id: item.at('call_id').text(), parts, hasFailed: false }],
    },
  };
}

function readThought(item: Field): Item {
  const summary = item
    .at('summary')
    .items()
    .map((part) => part.at('text').text());
  const content = item
    .at('content')
    .items()
    .map((part) => part.at('text').text());
  const signature = item.at('encrypted_content').optionalText();
  return spoken({ kind: 'thinking', text: [...summary, ...content].join('\n'), signature });
}

function readSummary(item: Field): Item {
  const sealed = item.at('encrypted_content');
  const summary = openSummary(sealed.text());
  if (summary !== undefined) return spoken({ kind: 'summary', text: summary });
  throw new BadInput(
    'The encrypted content could not be verified.',
    sealed.path,
    'invalid_encrypted_content',
  );
}

function readCompaction(body: Field): PromptCompaction | undefined {
  const items = body.at('input').isText() ? [] : body.at('input').items();
  const trigger = items.findIndex((item) => item.at('type').value === 'compaction_trigger');
  if (trigger >= 0 && trigger < items.length - 1)
    items[trigger]!.fail("'compaction_trigger' must be the last item");
  if (trigger >= 0) return { from: 0, isAlone: true };
  const entry = body
    .at('context_management')
    .items()
    .find((item) => item.at('type').value === 'compaction');
  return (
    entry && { from: entry.at('compact_threshold').number({ min: 1 }) ?? USUAL_THRESHOLD, isAlone: false }
  );
}

function readFormat(format: Field): PromptFormat {
  if (!format.present) return { kind: 'text' };
  const type = format.at('type').oneOf(['text', 'json_object', 'json_schema']);
  if (type === 'text') return { kind: 'text' };
  if (type === 'json_object') return { kind: 'json' };
  format.at('name').text(); // is only validated
  return { kind: 'schema', schema: format.at('schema').record() };
}

function readReasoning(reasoning: Field): PromptReasoning | undefined {
  const effort = reasoning.at('effort').optionalText();
  if (effort === 'none') return undefined;
  const wantsReasoning = effort !== undefined || reasoning.at('summary').present;
  return wantsReasoning ? { effort: effort ?? 'medium' } : undefined;
}
