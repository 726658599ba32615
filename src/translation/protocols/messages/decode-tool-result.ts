import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { ToolResultContent, ToolResultPart } from '../../canonical/part.ts';
import { cacheOf } from './cache-control.ts';
import { decodeDocument, decodeImage, decodeSearchResult } from './decode-media.ts';
import { decodeText, decodeTexts } from './decode-text.ts';

const contents: Readonly<Record<string, (block: Fields) => ToolResultContent[]>> = {
  text: (block) => [decodeText(block)],
  image: (block) => [decodeImage(block)],
  document: decodeDocument,
  search_result: (block) => [decodeSearchResult(block)],
  tool_reference: ({ tool_name }) => [{ kind: 'text', text: `The tool ${tool_name} is available now.` }],
};

/** Decodes a block of a result. An unknown block becomes its JSON text, so that no result is lost. */
const decodeContent = (block: Fields): ToolResultContent[] =>
  lookUp(contents, textOf(block.type))?.(block) ?? [{ kind: 'text', text: JSON.stringify(block) }];

export const decodeToolResult = (block: Fields): ToolResultPart => ({
  kind: 'tool-result',
  callId: String(block.tool_use_id),
  content: Array.isArray(block.content)
    ? listOf(block.content).flatMap((content) => decodeContent(objectOf(content)))
    : decodeTexts(block.content),
  ...(block.is_error === true && { isError: true }),
  ...cacheOf(block),
});
