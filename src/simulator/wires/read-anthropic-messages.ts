import { lookUp } from '../../base/lib/records.ts';
import { afterSummary } from '../model/after-summary.ts';
import type { Field } from '../model/field.ts';
import { joinTurns } from '../model/join-turns.ts';
import {
  PLAIN_PROMPT,
  type Prompt,
  type PromptCompaction,
  type PromptFormat,
  type PromptReasoning,
  type PromptToolChoice,
  type PromptTurn,
} from '../model/prompt.ts';
import type { CacheLifetime, MarkedPart } from '../model/prompt-part.ts';
import {
  type MediaLabel,
  mediaFromBase64,
  mediaFromId,
  mediaFromText,
  mediaFromUrl,
} from '../model/read-media.ts';
import { applyToolChanges, isToolChange, readMessagesTool } from './messages-tools.ts';

/** The minimum thinking budget of this vendor. */
const MIN_BUDGET = 1_024;

export function readAnthropicMessages(body: Field): Prompt {
  const tools = body.at('tools').items();
  const { turns, directives } = readTurns(body.at('messages'));
  const system = readSystem(body.at('system'));
  const maxTokens = body.at('max_tokens').number({ min: 1 }) ?? body.at('max_tokens').fail('Field required');
  const prompt: Prompt = {
    ...PLAIN_PROMPT,
    system: [...system, ...directives.flatMap(readDirective)]
      .map((part) => (part.kind === 'text' ? part.text : ''))
      .join('\n'),
    systemBreakpoint: [...system.map(({ breakpoint }) => breakpoint), ...tools.map(readMark)].findLast(
      Boolean,
    ),
    turns,
    tools: applyToolChanges(tools.flatMap(readMessagesTool), directives),
    toolChoice: readToolChoice(body.at('tool_choice')),
    allowsParallelCalls: !body.at('tool_choice').at('disable_parallel_tool_use').flag(),
    maxTokens,
    stops: body
      .at('stop_sequences')
      .items()
      .map((stop) => stop.text()),
    format: readFormat(body),
    reasoning: readThinking(body, maxTokens),
    compaction: readCompaction(body),
    caching: 'marked',
  };
  body.at('temperature').number({ min: 0, max: 1, whole: false });
  checkForcedTool(body, prompt);
  return prompt;
}

function checkForcedTool(body: Field, { reasoning, toolChoice }: Prompt): void {
  const forced = toolChoice.kind === 'any' || toolChoice.kind === 'named';
  if (reasoning && forced)
    body.at('tool_choice').fail('Thinking may not be enabled when tool_choice forces tool use.');
}

function readSystem(system: Field): MarkedPart[] {
  if (!system.present) return [];
  if (system.isText()) return [{ kind: 'text', text: system.text() }];
  return system.items().map((block) => readBlock(block));
}

/** Reads the turns of the conversation, and the messages between them that direct the model. */
function readTurns(messages: Field): { turns: PromptTurn[]; directives: Field[] } {
  const items = messages.someItems();
  const isDirective = (message: Field) => message.at('role').value === 'system';
  const spoken = items.filter((message) => !isDirective(message));
  const turns = spoken.map((message) => ({
    // Messages of the system are directives. The list names their role for the refusal of another one.
    role: message.at('role').oneOf(['user', 'assistant', 'system']) as PromptTurn['role'],
    parts: readContent(message.at('content')),
  }));
  if (turns[0]?.role !== 'user' && turns[0]?.parts[0]?.kind !== 'summary')
    items[0]!.at('role').fail('first message must use the "user" role');
  return { turns: afterSummary(joinTurns(turns)), directives: items.filter(isDirective) };
}

function readContent(content: Field): MarkedPart[] {
  if (content.isText()) return [{ kind: 'text', text: content.text() || content.fail('must not be empty') }];
  if (!content.isList()) content.fail('expected a string or an array of blocks');
  return content.items().map((block) => readBlock(block));
}

function readBlock(block: Field): MarkedPart {
  const type = block.at('type').text();
  const reader = lookUp(BLOCK_READERS, type);
  const part = reader ? reader(block) : block.at('type').fail(`unknown block type '${type}'`);
  return { ...part, breakpoint: readMark(block) };
}

function readMark(block: Field): CacheLifetime | undefined {
  const mark = block.at('cache_control');
  if (!mark.present) return undefined;
  mark.at('type').oneOf(['ephemeral']);
  return mark.at('ttl').present ? mark.at('ttl').oneOf<CacheLifetime>(['5m', '1h']) : '5m';
}

/** A compaction that failed has no summary, and the vendor ignores it. */
function readSummary(block: Field): MarkedPart {
  const content = block.at('content').optionalText();
  return content === undefined ? { kind: 'text', text: '' } : { kind: 'summary', text: content };
}

/** Reads blocks of the vendor's hosted tools as text, since clients must return them unchanged. */
const readOwn = (block: Field): MarkedPart => ({ kind: 'text', text: JSON.stringify(block.value) });

const BLOCK_READERS: Record<string, (block: Field) => MarkedPart> = {
  text: (block) => ({
    kind: 'text',
    text: block.at('text').text() || block.fail('text content blocks must be non-empty'),
  }),
  image: (block) => readSource(block, { kind: 'image', mediaType: 'image/*' }),
  document: (block) => readSource(block, { kind: 'document', mediaType: 'application/pdf' }),
  thinking: (block) => ({
    kind: 'thinking',
    text: block.at('thinking').text(),
    signature: block.at('signature').text(),
  }),
  redacted_thinking: (block) => ({ kind: 'thinking', text: '', signature: block.at('data').text() }),
  tool_use: (block) => ({
    kind: 'tool-call',
    id: block.at('id').text(),
    name: block.at('name').text(),
    input: JSON.stringify(block.at('input').record()),
  }),
  tool_result: (block) => ({
    kind: 'tool-result',
    id: block.at('tool_use_id').text(),
    parts: readResult(block.at('content')),
    hasFailed: block.at('is_error').flag(),
  }),
  compaction: readSummary,
  search_result: readOwn,
  server_tool_use: readOwn,
  web_search_tool_result: readOwn,
  web_fetch_tool_result: readOwn,
  code_execution_tool_result: readOwn,
  bash_code_execution_tool_result: readOwn,
  text_editor_code_execution_tool_result: readOwn,
  tool_search_tool_result: readOwn,
  tool_reference: readOwn,
  container_upload: readOwn,
};

function readResult(content: Field): MarkedPart[] {
  if (!content.present || content.value === '') return [];
  return readContent(content);
}

function readSource(block: Field, { kind, mediaType }: MediaLabel): MarkedPart {
  const source = block.at('source');
  const label = { kind, mediaType, name: block.at('title').optionalText() };
  switch (source.at('type').oneOf(['base64', 'url', 'file', 'text', 'content'])) {
    case 'base64':
      return mediaFromBase64({ ...label, mediaType: source.at('media_type').text() }, source.at('data'));
    case 'url':
      return mediaFromUrl(label, source.at('url'));
    case 'file':
      return mediaFromId(label, source.at('file_id').text());
    case 'text':
      return mediaFromText({ ...label, mediaType: 'text/plain' }, source.at('data').text());
    default:
      return mediaFromText({ ...label, mediaType: 'text/plain' }, JSON.stringify(source.at('content').value));
  }
}

/** Returns the text of a message that directs the model. Its other blocks change the tools. */
function readDirective(message: Field): MarkedPart[] {
  const content = message.at('content');
  if (!content.present) return [];
  if (content.isText()) return [{ kind: 'text', text: content.text() }];
  return content
    .items()
    .filter((block) => !isToolChange(block))
    .map((block) => readBlock(block));
}

function readToolChoice(choice: Field): PromptToolChoice {
  if (!choice.present) return { kind: 'auto' };
  const kind = choice.at('type').oneOf(['auto', 'any', 'tool', 'none']);
  return kind === 'tool' ? { kind: 'named', name: choice.at('name').text() } : { kind };
}

function readFormat(body: Field): PromptFormat {
  const format = body.at('output_config').at('format').present
    ? body.at('output_config').at('format')
    : body.at('output_format');
  if (!format.present) return { kind: 'text' };
  format.at('type').oneOf(['json_schema']);
  return { kind: 'schema', schema: format.at('schema').record() };
}

/**
 * The vendor's own trigger. It refuses one below 50,000, while the simulator takes any, so that
 * short conversations can try it.
 */
const USUAL_TRIGGER = 150_000;

function readCompaction(body: Field): PromptCompaction | undefined {
  const whole = body.at('compaction');
  const edits = body.at('context_management').at('edits').items();
  if (whole.present) {
    if (body.at('context_management').present) whole.fail('cannot be combined with context_management');
    whole.at('type').oneOf(['summarize']);
    return { from: 0, isAlone: true };
  }
  const edit = edits.find((edit) => edit.at('type').text() === 'compact_20260112');
  if (!edit) return undefined;
  const trigger = edit.at('trigger');
  if (trigger.present) trigger.at('type').oneOf(['input_tokens']);
  return {
    from: trigger.at('value').number({ min: 1 }) ?? USUAL_TRIGGER,
    isAlone: edit.at('pause_after_compaction').flag(),
  };
}

function readThinking(body: Field, maxTokens: number): PromptReasoning | undefined {
  const thinking = body.at('thinking');
  if (!thinking.present) return undefined;
  const type = thinking.at('type').oneOf(['enabled', 'adaptive', 'disabled', 'between_tools']);
  const effort = body.at('output_config').at('effort').optionalText() ?? 'medium';
  if (type === 'disabled' || type === 'between_tools') return undefined;
  if (type === 'adaptive') return { effort };
  const budget = thinking.at('budget_tokens');
  const budgetTokens = budget.number({ min: MIN_BUDGET }) ?? budget.fail('Field required');
  if (budgetTokens >= maxTokens) budget.fail('`max_tokens` must be greater than `thinking.budget_tokens`');
  return { effort, budgetTokens };
}
