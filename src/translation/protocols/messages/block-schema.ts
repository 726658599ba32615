import { optional } from '../../../base/schema/optional.ts';
import { otherTypeObject } from '../../../base/schema/other-type-object.ts';
import { Type } from '../../../base/schema/type.ts';

/** The member with which a block or a tool ends a prefix to cache. */
export const cacheControl = optional(
  Type.Object({ type: Type.Literal('ephemeral'), ttl: optional(Type.Enum(['5m', '1h'])) }),
);

const base64 = Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$', expected: 'base64 data' });
const url = Type.String({ pattern: '^https?://', expected: "a URL that begins with 'https://'" });
const urlSource = Type.Object({ type: Type.Literal('url'), url });
const fileSource = Type.Object({ type: Type.Literal('file'), file_id: Type.String({ minLength: 1 }) });
const citations = optional(Type.Object({ enabled: optional(Type.Boolean()) }));

const text = Type.Object({
  type: Type.Literal('text'),
  text: Type.String(),
  cache_control: cacheControl,
  citations: optional(Type.Array(Type.Object({ type: Type.String() }))),
});

const image = Type.Object({
  type: Type.Literal('image'),
  source: Type.Union([
    Type.Object({
      type: Type.Literal('base64'),
      media_type: Type.Enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: base64,
    }),
    urlSource,
    fileSource,
  ]),
  cache_control: cacheControl,
});

const document = Type.Object({
  type: Type.Literal('document'),
  source: Type.Union([
    Type.Object({
      type: Type.Literal('base64'),
      media_type: Type.Enum(['application/pdf']),
      data: base64,
    }),
    Type.Object({
      type: Type.Literal('text'),
      media_type: optional(Type.Enum(['text/plain'])),
      data: Type.String(),
    }),
    Type.Object({
      type: Type.Literal('content'),
      content: Type.Union([Type.String(), Type.Array(Type.Union([text, image]))]),
    }),
    urlSource,
    fileSource,
  ]),
  title: optional(Type.String()),
  context: optional(Type.String()),
  citations,
  cache_control: cacheControl,
});

const searchResult = Type.Object({
  type: Type.Literal('search_result'),
  source: Type.String(),
  title: Type.String(),
  content: Type.Array(text),
  citations,
  cache_control: cacheControl,
});

const toolReference = Type.Object({ type: Type.Literal('tool_reference'), tool_name: Type.String() });

const toolUse = Type.Object({
  type: Type.Literal('tool_use'),
  id: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  input: optional(Type.Object({})),
  cache_control: cacheControl,
});

const thinking = Type.Object({
  type: Type.Literal('thinking'),
  thinking: Type.String(),
  signature: optional(Type.String()),
});

const redactedThinking = Type.Object({ type: Type.Literal('redacted_thinking'), data: Type.String() });

const resultBlocks = [text, image, document, searchResult, toolReference];

/** The blocks of turns. Each place of a request accepts some of them. */
const turnBlocks = [
  text,
  image,
  document,
  searchResult,
  'tool_result',
  thinking,
  redactedThinking,
  toolUse,
] as const;

const toolResult = Type.Object({
  type: Type.Literal('tool_result'),
  tool_use_id: Type.String({ minLength: 1 }),
  content: optional(
    Type.Union([
      Type.String(),
      Type.Array(
        Type.Union([
          ...resultBlocks,
          otherTypeObject([...resultBlocks, ...turnBlocks], 'a block that a tool result can contain'),
        ]),
      ),
    ]),
  ),
  is_error: optional(Type.Boolean()),
  cache_control: cacheControl,
});

/** The blocks of the prompt before the conversation. */
export const systemBlocks = Type.Array(
  Type.Union([
    text,
    otherTypeObject([...resultBlocks, ...turnBlocks], 'a block that a system prompt can contain'),
  ]),
);

/** Within a conversation, system messages can also change the tools. */
export const directiveBlocks = Type.Array(
  Type.Union([text, otherTypeObject(turnBlocks, 'a block that a system message can contain')]),
);

/** The blocks of a user's turn. */
export const userBlocks = Type.Array(
  Type.Union([
    text,
    image,
    document,
    searchResult,
    toolResult,
    otherTypeObject(turnBlocks, 'a block that a user turn can contain'),
  ]),
);

/** The blocks of an assistant's turn. */
export const assistantBlocks = Type.Array(
  Type.Union([
    text,
    toolUse,
    thinking,
    redactedThinking,
    document,
    otherTypeObject(turnBlocks, 'a block that an assistant turn can contain'),
  ]),
);
