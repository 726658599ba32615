import { lookUp } from '../../base/lib/records.ts';
import { BadInput } from '../model/bad-input.ts';
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
import { mediaFromBase64, mediaFromId } from '../model/read-media.ts';
import { readStops } from './read-stops.ts';

const MAX_STOPS = 5;

/** The known fields. The vendor refuses all others. */
const BODY_FIELDS =
  'model input system_instruction tools generation_config response_format response_mime_type ' +
  'response_modalities safety_settings service_tier labels store stream background previous_interaction_id ' +
  'continuation_token';
const CONFIG_FIELDS =
  'max_output_tokens temperature top_p seed stop_sequences thinking_level thinking_summaries tool_choice ' +
  'image_config speech_config transcription_config video_config';

export function readGoogleInteractions(body: Field): Prompt {
  const config = body.at('generation_config');
  refuseUnknown(body, BODY_FIELDS);
  if (config.present) refuseUnknown(config, CONFIG_FIELDS);
  config.at('temperature').number({ min: 0, max: 2, whole: false });
  const previous = body.at('previous_interaction_id').optionalText();
  if (previous !== undefined)
    throw new BadInput(`Interaction '${previous}' not found.`, 'previous_interaction_id');
  return {
    ...PLAIN_PROMPT,
    system: body.at('system_instruction').optionalText() ?? '',
    turns: joinTurns(readInput(body.at('input'))),
    tools: body.at('tools').items().flatMap(readTool),
    toolChoice: readToolChoice(config.at('tool_choice')),
    maxTokens: config.at('max_output_tokens').number({ min: 1 }),
    stops: readStops(config.at('stop_sequences'), MAX_STOPS),
    format: readFormat(body.at('response_format')),
    reasoning: readThinking(config),
  };
}

export const wantsSummaries = (body: Field): boolean =>
  body.at('generation_config').at('thinking_summaries').value === 'auto';

function refuseUnknown(field: Field, known: string): void {
  const names = new Set(known.split(' '));
  const unknown = Object.keys(field.record()).find((name) => !names.has(name));
  if (unknown !== undefined) field.at(unknown).fail(`Unknown parameter '${unknown}'.`);
}

const user = (parts: MarkedPart[]): PromptTurn => ({ role: 'user', parts });
const model = (parts: MarkedPart[]): PromptTurn => ({ role: 'assistant', parts });

function readInput(input: Field): PromptTurn[] {
  if (input.isText()) return [user([{ kind: 'text', text: input.text() }])];
  if (!input.isList()) return [user([readContent(input)])];
  return input.someItems().map((step) => {
    const type = step.at('type').text();
    const reader = lookUp(STEP_READERS, type);
    return reader ? reader(step) : user([readContent(step)]);
  });
}

const STEP_READERS: Record<string, (step: Field) => PromptTurn> = {
  user_input: (step) => user(step.at('content').items().map(readContent)),
  model_output: (step) => model(step.at('content').items().map(readContent)),
  thought: (step) => {
    const summary = step.at('summary').items();
    const text = summary.map((item) => item.at('text').text()).join('');
    return model([{ kind: 'thinking', text, signature: step.at('signature').optionalText() }]);
  },
  function_call: (step) =>
    model([
      {
        kind: 'tool-call',
        id: step.at('id').text(),
        name: step.at('name').text(),
        input: JSON.stringify(step.at('arguments').record()),
      },
    ]),
  function_result: (step) =>
    user([
      {
        kind: 'tool-result',
        id: step.at('call_id').text(),
        parts: readResult(step.at('result')),
        hasFailed: step.at('is_error').flag(),
      },
    ]),
};

function readResult(result: Field): MarkedPart[] {
  if (result.isText()) return [{ kind: 'text', text: result.text() }];
  if (result.isList()) return result.items().map(readContent);
  return [{ kind: 'text', text: JSON.stringify(result.record()) }];
}

const CONTENT_TYPES = ['text', 'image', 'audio', 'document', 'video'] as const;

function readContent(content: Field): MarkedPart {
  const type = content.at('type').oneOf(CONTENT_TYPES);
  if (type === 'text') return { kind: 'text', text: content.at('text').text() };
  const mediaType = content.at('mime_type').optionalText() ?? 'application/octet-stream';
  const label = { kind: type === 'video' ? 'document' : type, mediaType } as const;
  if (content.at('data').present) return mediaFromBase64(label, content.at('data'));
  return mediaFromId(label, content.at('uri').text());
}

/** Hosted tools run at the vendor. The simulator accepts them and never calls them. */
function readTool(tool: Field): PromptTool[] {
  if (tool.at('type').text() !== 'function') return [];
  const schema = tool.at('parameters');
  return [
    {
      name: tool.at('name').text(),
      description: tool.at('description').optionalText() ?? '',
      schema: schema.present ? schema.record() : {},
    },
  ];
}

const MODES = ['auto', 'any', 'none', 'validated'] as const;

function readToolChoice(choice: Field): PromptToolChoice {
  if (!choice.present) return { kind: 'auto' };
  const allowed = choice.at('allowed_tools');
  const mode = (choice.isText() ? choice : allowed.at('mode')).oneOf(MODES);
  if (mode === 'validated') return { kind: 'auto' };
  const names = choice.isText() ? [] : allowed.at('tools').items();
  return mode === 'any' && names.length === 1 ? { kind: 'named', name: names[0]!.text() } : { kind: mode };
}

function readFormat(format: Field): PromptFormat {
  const one = format.isList() ? format.items().find((each) => each.at('type').value === 'text') : format;
  if (!one?.present || one.at('mime_type').value !== 'application/json') return { kind: 'text' };
  const schema = one.at('schema');
  return schema.present ? { kind: 'schema', schema: schema.record() } : { kind: 'json' };
}

function readThinking(config: Field): PromptReasoning | undefined {
  const level = config.at('thinking_level').optionalText();
  const isAsked = level !== undefined || config.at('thinking_summaries').value === 'auto';
  return isAsked ? { effort: level ?? 'medium' } : undefined;
}
