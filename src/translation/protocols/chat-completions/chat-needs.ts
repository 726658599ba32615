import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { NeedFinders } from '../../canonical/need.ts';
import { findPlace } from '../../params/find-place.ts';

const holders = ['content'];
const TEXT_DATA = /^data:text\//i;

const isImage = ({ type }: JsonObject): boolean => type === 'image_url';
/** Plain text files are not documents here, since every model can read them. */
const isDocument = ({ type, file }: JsonObject): boolean =>
  type === 'file' && !TEXT_DATA.test(textOf(objectOf(file).file_data)?.slice(0, 10) ?? '');

const images = { isWanted: isImage, holders };
const documents = { isWanted: isDocument, holders };

const forcing = new Set<unknown>(['required', 'function', 'custom']);

function isForced(choice: unknown): boolean {
  const type = isObject(choice) ? choice.type : choice;
  return type === 'allowed_tools'
    ? objectOf(objectOf(choice).allowed_tools).mode === 'required'
    : forcing.has(type);
}

const isOff = (choice: unknown): boolean => (isObject(choice) ? choice.type : choice) === 'none';

export const chatNeeds: NeedFinders = {
  vision: ({ messages }) => findPlace(messages, 'messages', images),
  documents: ({ messages }) => findPlace(messages, 'messages', documents),
  'forced-tool-choice': ({ tool_choice, function_call }) => {
    if (isForced(tool_choice)) return { path: 'tool_choice' };
    return isObject(function_call) ? { path: 'function_call' } : undefined;
  },
  tools: ({ tools, tool_choice, functions, function_call }) => {
    if (listOf(tools).length > 0 && !isOff(tool_choice)) return { path: 'tools' };
    return listOf(functions).length > 0 && !isOff(function_call) ? { path: 'functions' } : undefined;
  },
  'strict-format': ({ response_format }) => {
    const { type, json_schema } = objectOf(response_format);
    const isStrict = type === 'json_schema' && objectOf(json_schema).strict === true;
    return isStrict ? { path: 'response_format' } : undefined;
  },
  effort: ({ reasoning_effort }) =>
    typeof reasoning_effort === 'string' ? { path: 'reasoning_effort', value: reasoning_effort } : undefined,
};
