import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';

/** Lists beyond these limits only cost memory. Real prompts are shorter. */
const MAX_CONTENTS = 10_000;
const MAX_PARTS = 10_000;
const MAX_TOOLS = 1_000;
/** Bounds the search for stop sequences, which reads every piece of the answer once for each. */
const MAX_STOPS = 1_000;
const MAX_STOP_LENGTH = 1_000;
/** The vendor's own limit. */
const MAX_CANDIDATES = 8;

const word = optional(Type.String());
const anything = optional(Type.Object({}));

const base64 = Type.String({ pattern: '^[A-Za-z0-9+/_-]*={0,2}$', expected: 'base64 data' });
const inlineData = optional(Type.Object({ mimeType: Type.String({ minLength: 1 }), data: base64 }));
const fileData = optional(Type.Object({ fileUri: Type.String({ minLength: 1 }), mimeType: word }));

const functionName = Type.String({
  pattern: '^[a-zA-Z0-9_.:-]{1,128}$',
  expected: 'at most 128 letters, digits, dashes, dots, colons and underscores',
});

const part = Type.Object({
  text: word,
  thought: optional(Type.Boolean()),
  thoughtSignature: word,
  inlineData,
  fileData,
  functionCall: optional(Type.Object({ id: word, name: Type.String({ minLength: 1 }), args: anything })),
  functionResponse: optional(
    Type.Object({
      id: word,
      name: Type.String({ minLength: 1 }),
      response: anything,
      parts: optional(Type.Array(Type.Object({ inlineData, fileData }))),
    }),
  ),
});

const parts = Type.Array(part, { maxItems: MAX_PARTS });
const content = Type.Object({
  role: optional(Type.Enum(['user', 'model', 'function', ''])),
  parts,
});

/** The instructions before the conversation. Their role is ignored. */
const systemInstruction = optional(Type.Object({ role: word, parts }));

const tool = Type.Object({
  functionDeclarations: optional(
    Type.Array(
      Type.Object({
        name: functionName,
        description: word,
        parameters: anything,
        parametersJsonSchema: anything,
      }),
      { maxItems: MAX_TOOLS },
    ),
  ),
});

const modes = ['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'];
const inBothCases = (values: readonly string[]) =>
  Type.Enum([...values, ...values.map((value) => value.toLowerCase())]);

const toolConfig = optional(
  Type.Object({
    functionCallingConfig: optional(
      Type.Object({
        mode: optional(inBothCases(modes)),
        allowedFunctionNames: optional(Type.Array(Type.String())),
      }),
    ),
  }),
);

/** The members of the configuration that the gateway checks. */
export const generationMembers = {
  maxOutputTokens: optional(Type.Integer({ minimum: 1 })),
  temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
  topP: optional(Type.Number({ minimum: 0, maximum: 1 })),
  topK: optional(Type.Number({ minimum: 0 })),
  seed: optional(Type.Integer()),
  presencePenalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  frequencyPenalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  stopSequences: optional(Type.Array(Type.String({ maxLength: MAX_STOP_LENGTH }), { maxItems: MAX_STOPS })),
  candidateCount: optional(Type.Integer({ minimum: 1, maximum: MAX_CANDIDATES })),
  responseMimeType: word,
  responseSchema: anything,
  responseJsonSchema: anything,
  responseModalities: optional(Type.Array(Type.String())),
  responseLogprobs: optional(Type.Boolean()),
  logprobs: optional(Type.Integer({ minimum: 0, maximum: 20 })),
  thinkingConfig: optional(
    Type.Object({
      includeThoughts: optional(Type.Boolean()),
      thinkingBudget: optional(Type.Integer({ minimum: -1 })),
      thinkingLevel: word,
    }),
  ),
};

const generationConfig = optional(Type.Object(generationMembers));

const fields = {
  contents: Type.Array(content, { minItems: 1, maxItems: MAX_CONTENTS }),
  systemInstruction,
  tools: optional(Type.Array(tool, { maxItems: MAX_TOOLS })),
  toolConfig,
  generationConfig,
  safetySettings: optional(Type.Array(Type.Object({}))),
  cachedContent: word,
  labels: anything,
  serviceTier: word,
  store: optional(Type.Boolean()),
  continuationToken: word,
};

/** The fields that the gateway checks. The path names the model and the method. */
export const generateRequestSchema = Type.Object(fields);

/** A body with the members that the path and the configuration add to it. */
export const addressedRequestSchema = Type.Object({
  ...fields,
  model: word,
  stream: optional(Type.Boolean()),
  maxOutputTokens: optional(Type.Integer({ minimum: 1 })),
});

/** The contents to count, or a whole request. */
export const countTokensRequestSchema = Type.Object({
  contents: Type.Optional(fields.contents),
  generateContentRequest: anything,
});
