import type { DocumentPart, MediaSource, Part } from '../canonical/part.ts';
import type { CanonicalRequest, Tool } from '../canonical/request.ts';
import type { Countable } from './countable.ts';
import { encryptedTokens } from './encrypted-tokens.ts';
import type { TokenFamily } from './token-families.ts';
import { writtenTools } from './written-tools.ts';

const text = (content: string | undefined): Countable[] => (content ? [{ kind: 'text', text: content }] : []);

/** Lists everything in a request that a model reads. */
export function countablesOf(request: CanonicalRequest, family: TokenFamily): Countable[] {
  const { system, turns, tools, format } = request;
  // The schema without the whitespace and escapes of the client's text.
  const schema = format?.kind === 'json-schema' ? JSON.stringify(format.schema.parse()) : undefined;
  return [
    ...system.flatMap((part) => text(part.text)),
    ...(tools.length > 0 ? toolCountables(tools, family) : []),
    ...text(schema),
    ...turns.flatMap(({ parts }) => [
      { kind: 'tokens' as const, tokens: family.turnTokens },
      ...parts.flatMap(partCountables),
    ]),
  ];
}

function toolCountables(tools: readonly Tool[], { toolsTokens, toolForm }: TokenFamily): Countable[] {
  const views = tools.map(toolView);
  const texts = writtenTools(views, toolForm) ?? [JSON.stringify(views)];
  return [{ kind: 'tokens', tokens: toolsTokens }, ...texts.flatMap(text)];
}

/**
 * Returns what a model reads of a tool.
 * Where the vendor's form is not published, compact JSON comes close to it.
 */
function toolView(tool: Tool): unknown {
  if (tool.kind === 'opaque') return tool.tool.parse();
  const { name, description } = tool;
  return tool.kind === 'function'
    ? { name, description, schema: tool.inputSchema?.parse() }
    : { name, description, format: tool.format?.parse() };
}

/** Returns what a model reads of one part of a turn. */
function partCountables(part: Part): Countable[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'thinking':
      return text(part.text);
    case 'redacted-thinking':
      return [{ kind: 'tokens', tokens: encryptedTokens(part.replay.data) }];
    case 'tool-call':
      return [...text(part.name), ...text(part.input.text)];
    case 'tool-result':
      return part.content.flatMap(partCountables);
    case 'image':
      return [{ kind: 'image', data: base64Of(part.source), detail: part.detail }];
    case 'document':
      return documentCountables(part);
    case 'audio':
      return audioCountables(part.source);
    case 'opaque':
      return text(JSON.stringify(part.block));
  }
}

const base64Of = (source: MediaSource): string | undefined =>
  source.kind === 'base64' ? source.data : undefined;

const documentCountables = ({ source, title, context }: DocumentPart): Countable[] => [
  ...text(title),
  ...text(context),
  ...contentOf(source),
];

function contentOf(source: MediaSource): Countable[] {
  if (source.kind === 'text') return text(source.text);
  if (source.kind === 'base64' && source.mediaType.startsWith('text/'))
    return text(Buffer.from(source.data, 'base64').toString());
  return [{ kind: 'pdf', data: base64Of(source) }];
}

const audioCountables = (source: MediaSource): Countable[] =>
  source.kind === 'base64'
    ? [{ kind: 'audio', data: source.data, isWav: source.mediaType.includes('wav') }]
    : [];
