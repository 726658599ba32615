import { lookUp } from '../../base/lib/records.ts';
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

const MAX_CANDIDATES = 8;
const MAX_STOPS = 5;

/** The known fields of a body. The vendor refuses all others, and accepts camel case and snake case. */
const BODY_FIELDS =
  'contents systemInstruction tools toolConfig safetySettings generationConfig ' +
  'cachedContent labels model serviceTier store';
/** The known fields of `generationConfig`. */
const CONFIG_FIELDS =
  'stopSequences responseMimeType responseSchema responseJsonSchema _responseJsonSchema responseModalities ' +
  'candidateCount ' +
  'maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs ' +
  'enableEnhancedCivicAnswers speechConfig thinkingConfig imageConfig mediaResolution audioTimestamp';

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the field in camel case, or in snake case, which the vendor also accepts. */
const get = (field: Field, name: string): Field => field.either(name, snake(name));

export function readGoogleGenerate(body: Field): Prompt {
  const config = get(body, 'generationConfig');
  refuseUnknown(body, BODY_FIELDS);
  if (config.present) refuseUnknown(config, CONFIG_FIELDS);
  config.at('temperature').number({ min: 0, max: 2, whole: false });
  const turns = body.at('contents').someItems().map(readTurn);
  return {
    ...PLAIN_PROMPT,
    system: readSystem(get(body, 'systemInstruction')),
    turns: joinTurns(turns),
    tools: body.at('tools').items().flatMap(readTools),
    toolChoice: readToolChoice(get(get(body, 'toolConfig'), 'functionCallingConfig')),
    maxTokens: get(config, 'maxOutputTokens').number({ min: 1 }),
    stops: readStops(get(config, 'stopSequences'), MAX_STOPS),
    format: readFormat(config),
    reasoning: readThinking(get(config, 'thinkingConfig')),
    count: get(config, 'candidateCount').number({ min: 1, max: MAX_CANDIDATES }) ?? 1,
  };
}

export const wantsThoughts = (body: Field): boolean =>
  get(get(get(body, 'generationConfig'), 'thinkingConfig'), 'includeThoughts').flag();

function refuseUnknown(field: Field, known: string): void {
  const names = new Set(known.split(' ').flatMap((name) => [name, snake(name)]));
  const unknown = Object.keys(field.record()).find((name) => !names.has(name));
  if (unknown !== undefined)
    field.at(unknown).fail(`Invalid JSON payload received. Unknown name "${unknown}"`);
}

const readSystem = (instruction: Field): string =>
  instruction
    .at('parts')
    .items()
    .map((part) => part.at('text').text())
    .join('\n');

function readTurn(content: Field): PromptTurn {
  const role = content.at('role').present ? content.at('role').oneOf(['user', 'model', 'function']) : 'user';
  return {
    role: role === 'model' ? 'assistant' : 'user',
    parts: content.at('parts').someItems().map(readPart),
  };
}

function readPart(part: Field): MarkedPart {
  const sent = Object.entries(PART_READERS).find(([name]) => get(part, name).present);
  if (sent === undefined) return part.fail("required oneof field 'data' must be initialized");
  const [name, read] = sent;
  return read(get(part, name), part);
}

/** Returns the id of a call or result, or the function's name if there is no id. */
const idOf = (field: Field): string => field.at('id').optionalText() ?? field.at('name').text();

const PART_READERS: Record<string, (value: Field, part: Field) => MarkedPart> = {
  text: (value, part) =>
    part.at('thought').flag()
      ? { kind: 'thinking', text: value.text(), signature: get(part, 'thoughtSignature').optionalText() }
      : { kind: 'text', text: value.text() },
  inlineData: (value) => {
    const mediaType = get(value, 'mimeType').text();
    return mediaFromBase64({ kind: kindOf(mediaType), mediaType }, value.at('data'));
  },
  fileData: (value) => {
    const mediaType = get(value, 'mimeType').optionalText() ?? 'application/octet-stream';
    return mediaFromId({ kind: kindOf(mediaType), mediaType }, get(value, 'fileUri').text());
  },
  functionCall: (value) => ({
    kind: 'tool-call',
    id: idOf(value),
    name: value.at('name').text(),
    input: JSON.stringify(value.at('args').present ? value.at('args').record() : {}),
  }),
  functionResponse: (value) => {
    const response = value.at('response').record();
    const parts: MarkedPart[] = [{ kind: 'text', text: JSON.stringify(response) }];
    return {
      kind: 'tool-result',
      id: idOf(value),
      parts: [...parts, ...value.at('parts').items().map(readPart)],
      hasFailed: 'error' in response,
    };
  },
};

function kindOf(mediaType: string): 'image' | 'audio' | 'document' {
  const [family] = mediaType.split('/');
  return family === 'image' || family === 'audio' ? family : 'document';
}

function readTools(tool: Field): PromptTool[] {
  return get(tool, 'functionDeclarations')
    .items()
    .map((declared) => {
      const schema = get(declared, 'parametersJsonSchema').present
        ? get(declared, 'parametersJsonSchema')
        : declared.at('parameters');
      return {
        name: declared.at('name').text(),
        description: declared.at('description').optionalText() ?? '',
        schema: schema.present ? schema.record() : {},
      };
    });
}

function readToolChoice(config: Field): PromptToolChoice {
  const mode = config.at('mode').present
    ? config.at('mode').oneOf(['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED'])
    : 'AUTO';
  if (mode === 'NONE') return { kind: 'none' };
  if (mode !== 'ANY') return { kind: 'auto' };
  const allowed = get(config, 'allowedFunctionNames').items();
  return allowed.length === 1 ? { kind: 'named', name: allowed[0]!.text() } : { kind: 'any' };
}

/** The types of answers that have a schema. */
const SCHEMA_KINDS = { 'application/json': 'schema', 'text/x.enum': 'enum' } as const;

function readFormat(config: Field): PromptFormat {
  const schema = ['responseSchema', 'responseJsonSchema', '_responseJsonSchema']
    .map((name) => get(config, name))
    .find(({ present }) => present);
  const mimeType = get(config, 'responseMimeType').optionalText();
  const kind = lookUp(SCHEMA_KINDS, mimeType);
  if (schema && !kind) schema.fail('only allowed with responseMimeType application/json or text/x.enum');
  if (schema && kind) return { kind, schema: schema.record() };
  return { kind: kind === 'schema' ? 'json' : 'text' };
}

/** Reads the thinking budget. 0 disables thinking, and −1 lets the model decide. */
function readThinking(thinking: Field): PromptReasoning | undefined {
  if (!thinking.present) return undefined;
  const budget = get(thinking, 'thinkingBudget').number({ min: -1 });
  const level = get(thinking, 'thinkingLevel').optionalText()?.toLowerCase();
  const wantsThinking =
    budget !== undefined || level !== undefined || get(thinking, 'includeThoughts').flag();
  if (!wantsThinking || budget === 0) return undefined;
  return { effort: level ?? 'medium', budgetTokens: budget === -1 ? undefined : budget };
}
