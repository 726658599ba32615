import { BadInput } from '../../model/bad-input.ts';
import type { Field } from '../../model/field.ts';

const MAX_MARKS = 4;

const itemsOf = (list: Field): Field[] => (list.isList() ? list.items() : []);

/** Returns the content of each message. */
const contentsOf = (body: Field): Field[][] =>
  itemsOf(body.at('messages')).map((message) => itemsOf(message.at('content')));

/** Refuses more marks for the cache than the vendor takes in one request. */
export function refuseManyMarks(body: Field): BadInput | undefined {
  const tools = [...itemsOf(body.at('tools')), ...itemsOf(body.at('toolConfig').at('tools'))];
  const blocks = contentsOf(body).flat();
  const results = blocks.flatMap((block) => itemsOf(block.at('content')));
  const marks = [...tools, ...itemsOf(body.at('system')), ...blocks, ...results].filter(
    (block) => block.at('cache_control').present || block.at('cachePoint').present,
  );
  if (marks.length <= MAX_MARKS) return undefined;
  return new BadInput(
    `A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${marks.length}.`,
  );
}

/** Refuses a cache point after a document other than PDF, which Bedrock cannot convert. */
export function refusePointAfterDocument(body: Field): BadInput | undefined {
  for (const [turn, blocks] of contentsOf(body).entries())
    for (const [place, block] of blocks.entries()) {
      const document = blocks[place - 1]?.at('document');
      if (!block.at('cachePoint').present || !document?.present) continue;
      if (document.at('format').value !== 'pdf')
        return new BadInput(
          `The model returned the following errors: messages.${turn}.content.${place}.type: Field required`,
        );
    }
  return undefined;
}
