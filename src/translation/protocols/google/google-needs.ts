import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { NeedFinders } from '../../canonical/need.ts';
import { findPlace } from '../../params/find-place.ts';
import { configOf } from './decode-generation.ts';
import { callingOf } from './decode-tools.ts';

const holders = ['parts', 'functionResponse'];

const typeOf = ({ inlineData, fileData }: JsonObject): string | undefined => {
  const { mimeType } = objectOf(inlineData ?? fileData);
  return inlineData == null && fileData == null ? undefined : (textOf(mimeType) ?? '');
};

const isImage = (part: JsonObject): boolean => typeOf(part)?.startsWith('image/') === true;
/** Plain text does not count, since every model can read it. */
const isDocument = (part: JsonObject): boolean => {
  const type = typeOf(part);
  return type !== undefined && !/^(?:image|text|audio)\//.test(type);
};

const images = { isWanted: isImage, holders };
const documents = { isWanted: isDocument, holders };

/**
 * The needs of a request. A level of thinking is not one of them, since agents send one whatever the model.
 */
export const googleNeeds: NeedFinders = {
  vision: ({ contents }) => findPlace(contents, 'contents', images),
  documents: ({ contents }) => findPlace(contents, 'contents', documents),
  'forced-tool-choice': (body) =>
    callingOf(body).mode === 'ANY' ? { path: 'toolConfig.functionCallingConfig.mode' } : undefined,
  tools: (body) =>
    callingOf(body).mode !== 'NONE' && listOf(body['tools']).some(declares) ? { path: 'tools' } : undefined,
  'strict-format': (body) => {
    const config = configOf(body);
    const name = ['responseJsonSchema', 'responseSchema'].find((one) => config[one] != null);
    return name === undefined ? undefined : { path: `generationConfig.${name}` };
  },
};

const declares = (tool: unknown): boolean => listOf(objectOf(tool).functionDeclarations).length > 0;
