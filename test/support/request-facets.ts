import type { LossCode } from '../../src/translation/canonical/loss.ts';
import type { Part, ToolResultPart } from '../../src/translation/canonical/part.ts';
import { RawJson } from '../../src/translation/canonical/raw-json.ts';
import type { CanonicalRequest, Turn } from '../../src/translation/canonical/request.ts';
import { flatToolName, objectInput } from '../../src/translation/encoding/flat-tool.ts';

/** One facet of a request, and the losses that allow a translation to change it. */
export type Facet = { read(request: CanonicalRequest): unknown; excusedBy: readonly LossCode[] };

const partsOf = ({ turns }: CanonicalRequest, role?: Turn['role']): Part[] =>
  turns.filter((turn) => role === undefined || turn.role === role).flatMap(({ parts }) => parts);

/** Joining texts takes space between them. */
const textIn = (parts: readonly Part[]): string =>
  parts.map(textOf).join('').replaceAll(DEFAULT_FILE_NAME, '').replace(/\s+/g, '');

/** The name that a document gets if it needs one. */
const DEFAULT_FILE_NAME = 'document.txt';

/** A text document becomes text where no such documents exist. */
function textOf(part: Part): string {
  if (part.kind === 'text' || part.kind === 'refusal') return part.text;
  if (part.kind !== 'document' || part.source.kind !== 'text') return '';
  const name = part.title ?? part.filename ?? '';
  return name + part.source.text;
}

const resultsOf = (request: CanonicalRequest): ToolResultPart[] =>
  partsOf(request).filter((part) => part.kind === 'tool-result');

/** Tool names as they are without groups. */
const nameOf = (tool: { name: string; namespace?: string }): string => flatToolName(tool);
const jsonOf = (text: string): unknown => JSON.parse(text.trim() === '' ? '{}' : text);

function mediaIn(parts: readonly Part[]): unknown[] {
  return parts.flatMap((part) =>
    (part.kind === 'image' || part.kind === 'document' || part.kind === 'audio') &&
    part.source.kind !== 'text'
      ? [[part.kind, part.source]]
      : [],
  );
}

export const facets: Record<string, Facet> = {
  guidance: {
    read: (request) => textIn(request.system) + textIn(partsOf(request, 'system')),
    // A form of the answer that the wire has no field for is asked for in words.
    excusedBy: ['output-format'],
  },
  'what the user says': { read: (request) => textIn(partsOf(request, 'user')), excusedBy: [] },
  // Some protocols have a separate place for a refusal, so they cannot keep the order of the pieces.
  'what the assistant said': {
    read: (request) => [...textIn(partsOf(request, 'assistant'))].sort().join(''),
    excusedBy: [],
  },
  calls: {
    read: (request) =>
      partsOf(request).flatMap((part) =>
        part.kind === 'tool-call' ? [[nameOf(part), jsonOf(objectInput(part.input))]] : [],
      ),
    excusedBy: [],
  },
  // Some protocols order results by their calls, others by their arrival.
  results: {
    read: (request) =>
      resultsOf(request)
        .map(({ content }) => textIn(content))
        .sort(),
    excusedBy: ['tool-error-flag', 'tool-result-media'],
  },
  'media of the user': {
    read: (request) => mediaIn(partsOf(request, 'user')),
    excusedBy: ['tool-result-media'],
  },
  'media of results': {
    read: (request) => resultsOf(request).map(({ content }) => mediaIn(content)),
    excusedBy: ['tool-result-media'],
  },
  thoughts: {
    read: (request) =>
      partsOf(request)
        .map((part) => (part.kind === 'thinking' ? part.text : ''))
        .join(''),
    excusedBy: ['thinking-block'],
  },
  tools: {
    read: ({ tools }) =>
      tools.map((tool) =>
        tool.kind === 'opaque'
          ? 'opaque'
          : [nameOf(tool), tool.kind === 'function' ? tool.inputSchema?.text : 'freeform'],
      ),
    excusedBy: ['opaque-tool', 'freeform-tool'],
  },
  'tool choice': {
    read: ({ toolChoice = { kind: 'auto' } }) =>
      toolChoice.kind === 'named' ? nameOf(toolChoice) : toolChoice.kind,
    excusedBy: ['tool-choice', 'opaque-tool'],
  },
  ceiling: { read: ({ maxOutputTokens }) => maxOutputTokens, excusedBy: [] },
  sampling: {
    read: ({ sampling: { temperature, topP } }) => [temperature, topP],
    excusedBy: ['sampling'],
  },
  format: {
    read: ({ format = { kind: 'text' } }) =>
      format.kind === 'json-schema' ? format.schema.text : format.kind,
    excusedBy: ['output-format'],
  },
  stream: { read: ({ stream }) => stream, excusedBy: [] },
};

/** Normalizes texts for comparison, since some values are carried as text. */
export const plainly = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (member instanceof RawJson ? member.text : member));
