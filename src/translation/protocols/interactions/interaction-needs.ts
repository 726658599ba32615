import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { NeedFinders } from '../../canonical/need.ts';
import { findPlace } from '../../params/find-place.ts';
import { contentMembers } from './content-members.ts';
import { formatsOf } from './decode-options.ts';
import { choiceOf } from './decode-tools.ts';

const holders = [...new Set(Object.values(contentMembers))];

const isImage = ({ type }: JsonObject): boolean => type === 'image';
/** Plain text does not count, since every model can read it. */
const isDocument = ({ type, mime_type }: JsonObject): boolean =>
  (type === 'document' || type === 'video') && textOf(mime_type)?.startsWith('text/') !== true;

const images = { isWanted: isImage, holders };
const documents = { isWanted: isDocument, holders };

/**
 * The needs of a request. A level of thinking is not one of them, since agents send one whatever the model.
 */
export const interactionNeeds: NeedFinders = {
  vision: ({ input }) => findPlace(input, 'input', images),
  documents: ({ input }) => findPlace(input, 'input', documents),
  'forced-tool-choice': (body) =>
    choiceOf(body).mode === 'any' ? { path: 'generation_config.tool_choice' } : undefined,
  tools: (body) =>
    choiceOf(body).mode !== 'none' && listOf(body.tools).some((tool) => objectOf(tool).type === 'function')
      ? { path: 'tools' }
      : undefined,
  'strict-format': ({ response_format }) => {
    const hasSchema = formatsOf(response_format).some((format) => isObject(objectOf(format).schema));
    return hasSchema ? { path: 'response_format' } : undefined;
  },
};
