import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { NeedFinders } from '../../canonical/need.ts';
import { findPlace } from '../../params/find-place.ts';
import { configOf } from './decode-generation.ts';
import { callingOf, DECLARATIONS } from './decode-tools.ts';

/** The members of a turn and of a part that hold further parts. */
const holders = ['parts', 'functionResponse'];

const hasMedia = ({ inlineData, fileData }: JsonObject): boolean => inlineData != null || fileData != null;

const mediaType = ({ inlineData, fileData }: JsonObject): string | undefined =>
  textOf(objectOf(inlineData ?? fileData).mimeType);

const isImage = (part: JsonObject): boolean => mediaType(part)?.startsWith('image/') === true;

/** Media without a type may be a document. Plain text is not one, since every model can read it. */
const isDocument = (part: JsonObject): boolean =>
  hasMedia(part) && !/^(?:image|text|audio)\//.test(mediaType(part) ?? '');

const images = { isWanted: isImage, holders };
const documents = { isWanted: isDocument, holders };

/** The needs of a request. A level of thinking is not a need, since agents send one to every model. */
export const googleNeeds: NeedFinders = {
  vision: ({ contents }) => findPlace(contents, 'contents', images),
  documents: ({ contents }) => findPlace(contents, 'contents', documents),
  'forced-tool-choice': (body) =>
    callingOf(body).mode === 'ANY' ? { path: 'toolConfig.functionCallingConfig.mode' } : undefined,
  tools: (body) =>
    callingOf(body).mode !== 'NONE' && listOf(body['tools']).some(declaresFunctions)
      ? { path: 'tools' }
      : undefined,
  'strict-format': (body) => {
    const config = configOf(body);
    const member = ['responseJsonSchema', 'responseSchema'].find((name) => config[name] != null);
    return member === undefined ? undefined : { path: `generationConfig.${member}` };
  },
};

const declaresFunctions = (tool: unknown): boolean => listOf(objectOf(tool)[DECLARATIONS]).length > 0;
