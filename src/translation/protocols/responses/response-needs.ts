import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { NeedFinders } from '../../canonical/need.ts';
import { findPlace } from '../../params/find-place.ts';

const holders = ['content', 'output'];
const PLAIN_TEXT = /^data:text\/plain[;,]/i;

const free = new Set<unknown>(['auto', 'none']);

const isImage = ({ type }: JsonObject): boolean => type === 'input_image';
/** Plain text files are not documents here, since every model can read them. */
const isDocument = ({ type, file_data }: JsonObject): boolean =>
  type === 'input_file' && !PLAIN_TEXT.test(textOf(file_data)?.slice(0, 20) ?? '');

const images = { isWanted: isImage, holders };
const documents = { isWanted: isDocument, holders };

function isForced(choice: unknown): boolean {
  if (choice == null) return false;
  const { type, mode } = objectOf(choice);
  if (type === 'allowed_tools') return mode === 'required';
  return !free.has(isObject(choice) ? type : choice);
}

export const responseNeeds: NeedFinders = {
  vision: ({ input }) => findPlace(input, 'input', images),
  documents: ({ input }) => findPlace(input, 'input', documents),
  'forced-tool-choice': ({ tool_choice }) => (isForced(tool_choice) ? { path: 'tool_choice' } : undefined),
  tools: ({ tools, tool_choice }) =>
    listOf(tools).length > 0 && tool_choice !== 'none' ? { path: 'tools' } : undefined,
  'strict-format': ({ text }) => {
    const { type, strict } = objectOf(objectOf(text).format);
    return type === 'json_schema' && strict === true ? { path: 'text.format' } : undefined;
  },
  effort: ({ reasoning }) => {
    const effort = textOf(objectOf(reasoning).effort);
    return effort === undefined ? undefined : { path: 'reasoning.effort', value: effort };
  },
};
