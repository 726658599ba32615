import { keysOf } from '../../base/lib/records.ts';
import type { Field } from '../model/field.ts';
import {
  PLAIN_PROMPT,
  type Prompt,
  type PromptFormat,
  type PromptReasoning,
  type PromptTool,
  type PromptToolChoice,
  type PromptTurn,
} from '../model/prompt.ts';
import type { CacheLifetime, MarkedPart, PromptPart } from '../model/prompt-part.ts';
import { type MediaLabel, mediaFromBase64, mediaFromId, mediaFromText } from '../model/read-media.ts';

const MIN_BUDGET = 1_024;
const DOCUMENT_NAME = /^[A-Za-z0-9\-()[\]]+(?:\s[A-Za-z0-9\-()[\]]+)*$/;

const DOCUMENT_TYPES = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html',
  txt: 'text/plain',
  md: 'text/markdown',
};

export function readBedrockConverse(body: Field): Prompt {
  const config = body.at('inferenceConfig');
  const toolConfig = body.at('toolConfig');
  const maxTokens = config.at('maxTokens').number({ min: 1 });
  config.at('temperature').number({ min: 0, max: 1, whole: false });
  const system = readBlocks(body.at('system'));
  const tools = toolConfig.at('tools').items();
  const turns = readTurns(body.at('messages'));
  if (!toolConfig.present) checkNoTools(turns, toolConfig);
  return {
    ...PLAIN_PROMPT,
    system: system.map((part) => (part.kind === 'text' ? part.text : '')).join('\n'),
    systemBreakpoint: [...system.map(({ breakpoint }) => breakpoint), ...tools.map(readPoint)].findLast(
      Boolean,
    ),
    turns,
    tools: tools
      .filter((tool) => !tool.at('cachePoint').present)
      .map((tool) => readTool(tool.at('toolSpec'))),
    toolChoice: readToolChoice(toolConfig.at('toolChoice')),
    maxTokens,
    stops: config
      .at('stopSequences')
      .items()
      .map((stop) => stop.text()),
    format: readFormat(body.at('outputConfig').at('textFormat')),
    reasoning: readReasoning(body.at('additionalModelRequestFields'), maxTokens ?? Infinity),
    caching: 'marked',
  };
}

function checkNoTools(turns: PromptTurn[], toolConfig: Field): void {
  const kinds = turns.flatMap(({ parts }) => parts.map(({ kind }) => kind));
  if (kinds.includes('tool-call') || kinds.includes('tool-result')) {
    toolConfig.fail('must be defined when using toolUse and toolResult content blocks.');
  }
}

function readTurns(messages: Field): PromptTurn[] {
  const items = messages.someItems();
  const turns = items.map((message) => ({
    role: message.at('role').oneOf(['user', 'assistant']),
    parts: readBlocks(message.at('content')),
  }));
  if (turns[0]!.role !== 'user') messages.fail('A conversation must start with a user message.');
  const repeated = turns.findIndex(({ role }, index) => role === turns[index - 1]?.role);
  if (repeated > 0) items[repeated]!.at('role').fail('roles must alternate between "user" and "assistant"');
  return turns;
}

function readPoint(block: Field): CacheLifetime | undefined {
  const point = block.at('cachePoint');
  if (!point.present) return undefined;
  point.at('type').oneOf(['default']);
  return point.at('ttl').present ? point.at('ttl').oneOf<CacheLifetime>(['5m', '1h']) : '5m';
}

/** Reads content blocks. A cache point is a separate block on this wire and marks the block before it. */
function readBlocks(blocks: Field): MarkedPart[] {
  const parts: MarkedPart[] = [];
  for (const block of blocks.items()) {
    const breakpoint = readPoint(block);
    const last = parts.at(-1);
    if (!breakpoint) parts.push(readBlock(block));
    else if (last) last.breakpoint = breakpoint;
    else block.fail('a cachePoint needs content before it');
  }
  return parts;
}

function readBlock(block: Field): PromptPart {
  const sent = Object.entries(BLOCK_READERS).find(([name]) => block.at(name).present);
  if (sent === undefined) return block.fail('expected exactly one known content field');
  const [name, read] = sent;
  return read(block.at(name));
}

const BLOCK_READERS: Record<string, (value: Field) => PromptPart> = {
  text: (value) => ({
    kind: 'text',
    text: value.text().trim()
      ? value.text()
      : value.fail('The text field in the ContentBlock object is blank.'),
  }),
  image: (value) => {
    const format = value.at('format').oneOf(['png', 'jpeg', 'gif', 'webp']);
    return readSource(value.at('source'), { kind: 'image', mediaType: `image/${format}` });
  },
  audio: (value) =>
    readSource(value.at('source'), { kind: 'audio', mediaType: `audio/${value.at('format').text()}` }),
  document: readDocument,
  toolUse: (value) => ({
    kind: 'tool-call',
    id: value.at('toolUseId').text(),
    name: value.at('name').text(),
    input: JSON.stringify(value.at('input').record()),
  }),
  toolResult: (value) => ({
    kind: 'tool-result',
    id: value.at('toolUseId').text(),
    parts: value.at('content').items().map(readResultBlock),
    hasFailed: value.at('status').value === 'error',
  }),
  reasoningContent: readThought,
};

const readResultBlock = (block: Field): PromptPart =>
  block.at('json').present
    ? { kind: 'text', text: JSON.stringify(block.at('json').value) }
    : readBlock(block);

function readThought(value: Field): PromptPart {
  const redacted = value.at('redactedContent');
  if (redacted.present) return { kind: 'thinking', text: '', signature: redacted.text() };
  const thought = value.at('reasoningText');
  return {
    kind: 'thinking',
    text: thought.at('text').text(),
    signature: thought.at('signature').optionalText(),
  };
}

function readDocument(value: Field): PromptPart {
  const format = value.at('format').oneOf(keysOf(DOCUMENT_TYPES));
  const name = value.at('name').text();
  if (!DOCUMENT_NAME.test(name)) {
    value
      .at('name')
      .fail('may only hold letters, digits, single spaces, hyphens, parentheses and square brackets');
  }
  return readSource(value.at('source'), {
    kind: 'document',
    mediaType: DOCUMENT_TYPES[format],
    name,
  });
}

function readSource(source: Field, label: MediaLabel): PromptPart {
  if (source.at('bytes').present) return mediaFromBase64(label, source.at('bytes'));
  if (source.at('text').present) return mediaFromText(label, source.at('text').text());
  if (source.at('content').present) return mediaFromText(label, JSON.stringify(source.at('content').value));
  return mediaFromId(label, source.at('s3Location').at('uri').text());
}

function readTool(spec: Field): PromptTool {
  return {
    name: spec.at('name').text(),
    description: spec.at('description').optionalText() ?? '',
    schema: spec.at('inputSchema').at('json').record(),
  };
}

function readToolChoice(choice: Field): PromptToolChoice {
  if (choice.at('tool').present) return { kind: 'named', name: choice.at('tool').at('name').text() };
  return { kind: choice.at('any').present ? 'any' : 'auto' };
}

/** Reads the response schema, which is text on this wire. */
function readFormat(format: Field): PromptFormat {
  if (!format.present) return { kind: 'text' };
  format.at('type').oneOf(['json_schema']);
  const schema = format.at('structure').at('jsonSchema').at('schema');
  try {
    return { kind: 'schema', schema: JSON.parse(schema.text()) };
  } catch {
    return schema.fail('expected a JSON schema as text');
  }
}

function readReasoning(fields: Field, maxTokens: number): PromptReasoning | undefined {
  const thinkingField = fields.either('thinking', 'reasoning_config', 'reasoningConfig');
  const type = thinkingField.at('type').value;
  if (type === 'adaptive')
    return { effort: fields.at('output_config').at('effort').optionalText() ?? 'medium' };
  if (type !== 'enabled') return undefined;
  const budget = thinkingField.at('budget_tokens');
  const budgetTokens = budget.number({ min: MIN_BUDGET });
  if (budgetTokens !== undefined && budgetTokens >= maxTokens) budget.fail('must be less than maxTokens');
  return { effort: thinkingField.at('maxReasoningEffort').optionalText() ?? 'medium', budgetTokens };
}
