import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { NeedFinders } from '../../canonical/need.ts';
import { findPlace } from '../../params/find-place.ts';

const holders = ['content', 'source'];
const filed = new Set<unknown>(['base64', 'url', 'file']);

const isImage = ({ type }: JsonObject): boolean => type === 'image';
/** Documents made of text or blocks do not count, since every model can read them. */
const isDocument = ({ type, source }: JsonObject): boolean =>
  type === 'document' && filed.has(objectOf(source).type);

const images = { isWanted: isImage, holders };
const documents = { isWanted: isDocument, holders };

const choiceOf = ({ tool_choice }: JsonObject): string => textOf(objectOf(tool_choice).type) ?? 'auto';

/**
 * The needs of a request. An effort is not one of them in this dialect, since agents send one whatever the
 * model.
 */
export const messageNeeds: NeedFinders = {
  vision: ({ messages }) => findPlace(messages, 'messages', images),
  documents: ({ messages }) => findPlace(messages, 'messages', documents),
  'forced-tool-choice': (body) =>
    choiceOf(body) === 'any' || choiceOf(body) === 'tool' ? { path: 'tool_choice' } : undefined,
  tools: (body) =>
    listOf(body.tools).length > 0 && choiceOf(body) !== 'none' ? { path: 'tools' } : undefined,
  'strict-format': ({ output_config, output_format }) => {
    if (objectOf(output_config).format != null) return { path: 'output_config.format' };
    return output_format == null ? undefined : { path: 'output_format' };
  },
};
