import type { Field } from '../model/field.ts';
import { joinTurns } from '../model/join-turns.ts';
import {
  PLAIN_PROMPT,
  type Prompt,
  type PromptFormat,
  type PromptReasoning,
  type PromptTool,
  type PromptToolChoice,
  type PromptTurn,
} from '../model/prompt.ts';
import type { MarkedPart } from '../model/prompt-part.ts';
import { mediaFromBase64, mediaFromId, mediaFromUrl } from '../model/read-media.ts';
import { readOpenaiStops } from './read-openai-stops.ts';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;
const MAX_CHOICES = 128;

export function readOpenaiChat(body: Field): Prompt {
  const messages = body.at('messages').someItems();
  const { system, turns } = readMessages(messages);
  body.at('temperature').number({ min: 0, max: 2, whole: false });
  body.at('top_p').number({ min: 0, max: 1, whole: false });
  return {
    ...PLAIN_PROMPT,
    system,
    turns,
    tools: body.at('tools').items().map(readTool),
    toolChoice: readToolChoice(body.at('tool_choice')),
    allowsParallelCalls: body.at('parallel_tool_calls').value !== false,
    maxTokens: body.either('max_completion_tokens', 'max_tokens').number({ min: 1 }),
    stops: readOpenaiStops(body.at('stop')),
    format: readFormat(body.at('response_format')),
    reasoning: readReasoning(body),
    count: body.at('n').number({ min: 1, max: MAX_CHOICES }) ?? 1,
  };
}

function readMessages(messages: Field[]): { system: string; turns: PromptTurn[] } {
  const system: string[] = [];
  const turns: PromptTurn[] = [];
  for (const message of messages) {
    const role = message.at('role').oneOf(ROLES);
    if (role === 'system' || role === 'developer') system.push(textOfContent(message.at('content')));
    else turns.push(TURN_READERS[role](message));
  }
  return { system: system.join('\n'), turns: joinTurns(turns) };
}

const TURN_READERS = {
  user: (message: Field): PromptTurn => ({ role: 'user', parts: readContent(message.at('content')) }),
  assistant: readAssistant,
  tool: (message: Field): PromptTurn => readResult(message, 'tool_call_id'),
  function: (message: Field): PromptTurn => readResult(message, 'name'),
};

function readAssistant(message: Field): PromptTurn {
  const thought = message.either('reasoning_content', 'reasoning').value;
  const calls = message.at('tool_calls').items();
  const legacy = message.at('function_call');
  const content = message.at('content');
  if (
    !content.present &&
    calls.length === 0 &&
    !legacy.present &&
    !message.at('refusal').present &&
    !message.at('audio').present
  ) {
    content.fail("expected a string or parts, unless 'tool_calls' is given");
  }
  const thinking: MarkedPart[] =
    typeof thought === 'string' && thought ? [{ kind: 'thinking', text: thought }] : [];
  const parts = content.present ? readContent(content) : [];
  const legacyCalls = legacy.present ? [readLegacyCall(legacy)] : [];
  return { role: 'assistant', parts: [...thinking, ...parts, ...calls.map(readCall), ...legacyCalls] };
}

function readCall(call: Field): MarkedPart {
  const freeform = call.at('type').value === 'custom';
  const callee = call.at(freeform ? 'custom' : 'function');
  return {
    kind: 'tool-call',
    id: call.at('id').text(),
    name: callee.at('name').text(),
    input: callee.at(freeform ? 'input' : 'arguments').text(),
  };
}

/** Reads a call of a function from before tools. Its result has the function's name and no id. */
const readLegacyCall = (call: Field): MarkedPart => ({
  kind: 'tool-call',
  id: call.at('name').text(),
  name: call.at('name').text(),
  input: call.at('arguments').text(),
});

function readResult(message: Field, idName: string): PromptTurn {
  const id = message.at(idName).text();
  const part: MarkedPart = {
    kind: 'tool-result',
    id,
    parts: readContent(message.at('content')),
    hasFailed: false,
  };
  return { role: 'user', parts: [part] };
}

const textOfContent = (content: Field): string =>
  readContent(content)
    .map((part) => (part.kind === 'text' ? part.text : content.fail('only text is supported here')))
    .join('\n');

function readContent(content: Field): MarkedPart[] {
  if (content.isText()) return [{ kind: 'text', text: content.text() }];
  if (!content.isList()) content.fail('expected a string or an array of parts');
  return content.items().map((part) => PART_READERS[part.at('type').oneOf(PART_TYPES)](part));
}

const PART_TYPES = ['text', 'refusal', 'image_url', 'input_audio', 'file'] as const;

const PART_READERS: Record<(typeof PART_TYPES)[number], (part: Field) => MarkedPart> = {
  text: (part) => ({ kind: 'text', text: part.at('text').text() }),
  refusal: (part) => ({ kind: 'text', text: part.at('refusal').text() }),
  image_url: (part) => mediaFromUrl({ kind: 'image', mediaType: 'image/*' }, part.at('image_url').at('url')),
  input_audio: (part) => {
    const format = part.at('input_audio').at('format').oneOf(['wav', 'mp3']);
    return mediaFromBase64(
      { kind: 'audio', mediaType: `audio/${format}` },
      part.at('input_audio').at('data'),
    );
  },
  file: (part) => readFile(part.at('file')),
};

function readFile(file: Field): MarkedPart {
  const label = {
    kind: 'document',
    mediaType: 'application/pdf',
    name: file.at('filename').optionalText(),
  } as const;
  const data = file.at('file_data');
  if (!data.present) return mediaFromId(label, file.at('file_id').text());
  return mediaFromUrl(label, data);
}

function readTool(tool: Field): PromptTool {
  const freeform = tool.at('type').oneOf(['function', 'custom']) === 'custom';
  const declared = tool.at(freeform ? 'custom' : 'function');
  const name = declared.at('name').text();
  const description = declared.at('description').optionalText() ?? '';
  if (freeform) return { name, description };
  const parameters = declared.at('parameters');
  return { name, description, schema: parameters.present ? parameters.record() : {} };
}

function readToolChoice(choice: Field): PromptToolChoice {
  if (!choice.present) return { kind: 'auto' };
  if (choice.isText()) {
    const mode = choice.oneOf(['auto', 'none', 'required']);
    return { kind: mode === 'required' ? 'any' : mode };
  }
  const type = choice.at('type').oneOf(['function', 'custom', 'allowed_tools']);
  if (type === 'allowed_tools') {
    const mode = choice.at('allowed_tools').at('mode').oneOf(['auto', 'required']);
    return { kind: mode === 'required' ? 'any' : mode };
  }
  return { kind: 'named', name: choice.at(type).at('name').text() };
}

function readFormat(format: Field): PromptFormat {
  if (!format.present) return { kind: 'text' };
  const type = format.at('type').oneOf(['text', 'json_object', 'json_schema']);
  if (type === 'text') return { kind: 'text' };
  if (type === 'json_object') return { kind: 'json' };
  const declared = format.at('json_schema');
  declared.at('name').text();
  return { kind: 'schema', schema: declared.at('schema').record() };
}

/** Reads OpenAI's field, or one of those that compatible hosts have. */
function readReasoning(body: Field): PromptReasoning | undefined {
  const reasoning = body.at('reasoning');
  const effort = body.at('reasoning_effort').present ? body.at('reasoning_effort') : reasoning.at('effort');
  if (effort.present) return effort.text() === 'none' ? undefined : { effort: effort.text() };
  const budgetTokens = body.at('thinking_budget').number() ?? reasoning.at('max_tokens').number();
  const isOn =
    body.at('thinking').at('type').value === 'enabled' ||
    body.at('enable_thinking').value === true ||
    body.at('chat_template_kwargs').at('enable_thinking').value === true ||
    body.at('chat_template_kwargs').at('thinking').value === true ||
    reasoning.at('enabled').value === true ||
    reasoning.at('max_tokens').present;
  return isOn ? { effort: 'medium', budgetTokens } : undefined;
}
