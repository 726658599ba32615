import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { NeedFinders } from '../../canonical/need.ts';
import { findPlace } from '../../params/find-place.ts';

/** The member of a message that holds its parts. */
const holders = ['content'];
const TEXT_DATA = /^data:text\//i;
/** The length that the pattern reads. The data of a file can have several megabytes. */
const TEXT_DATA_LENGTH = 'data:text/'.length;

const isImage = ({ type }: JsonObject): boolean => type === 'image_url';
/** Plain text files are not documents here, since every model can read them. */
const isDocument = ({ type, file }: JsonObject): boolean =>
  type === 'file' && !TEXT_DATA.test(textOf(objectOf(file).file_data)?.slice(0, TEXT_DATA_LENGTH) ?? '');

const images = { isWanted: isImage, holders };
const documents = { isWanted: isDocument, holders };

/** The choices of a tool that force a call. A name of a tool forces one too. */
const FORCING: ReadonlySet<unknown> = new Set(['required', 'function', 'custom']);

/** Returns the word of a choice, which clients send alone or as the type of an object. */
const typeOf = (choice: unknown): unknown => (isObject(choice) ? choice.type : choice);

const isForced = (choice: unknown): boolean =>
  typeOf(choice) === 'allowed_tools'
    ? objectOf(objectOf(choice).allowed_tools).mode === 'required'
    : FORCING.has(typeOf(choice));

const isOff = (choice: unknown): boolean => typeOf(choice) === 'none';

/** Finds what a request needs of its model, in the current fields and in those before `tools`. */
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
