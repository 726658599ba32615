import { clientTypes } from '../../../src/translation/protocols/testing/client-types.ts';
import type { VendorTypes } from '../../../src/translation/protocols/testing/vendor-types.ts';

const { openai, openaiBeta, anthropic, anthropicBeta, anthropicModels, google } = clientTypes;

/** The types of requests, answers and stream events in each protocol. */
export const surfaces: Readonly<Record<string, readonly (readonly [VendorTypes, readonly string[]])[]>> = {
  'chat completions': [[openai, ['ChatCompletionCreateParamsBase', 'ChatCompletion', 'ChatCompletionChunk']]],
  completions: [[openai, ['CompletionCreateParamsBase', 'Completion']]],
  embeddings: [[openai, ['EmbeddingCreateParams', 'CreateEmbeddingResponse']]],
  responses: [
    [openai, ['ResponseCreateParamsBase', 'Response', 'ResponseStreamEvent']],
    [openaiBeta, ['ResponseCreateParamsBase', 'BetaResponse', 'BetaResponseStreamEvent']],
  ],
  messages: [
    [
      anthropic,
      [
        'MessageCreateParamsBase',
        'Message',
        'RawMessageStreamEvent',
        'MessageCountTokensParams',
        'MessageTokensCount',
      ],
    ],
    [
      anthropicBeta,
      [
        'MessageCreateParamsBase',
        'BetaMessage',
        'BetaRawMessageStreamEvent',
        'MessageCountTokensParams',
        'BetaMessageTokensCount',
      ],
    ],
    [anthropicModels, ['ModelInfo']],
  ],
  google: [[google, ['GenerateContentParameters', 'GenerateContentResponse']]],
};

/** The values of these members are names of models, which the catalog has. */
const WITHOUT: ReadonlySet<string> = new Set(['model']);

/** The members of each type, each with its values. A beta's type has the name of the type without `Beta`. */
export type Words = Map<string, Map<string, Set<string>>>;

/** Returns the value of a key, and adds an empty one if the key is new. */
const valueAt = <K, V>(map: Map<K, V>, key: K, empty: () => V): V => {
  const value = map.get(key) ?? empty();
  map.set(key, value);
  return value;
};

/** The name of a type's own values in its line. */
export const OWN = '=';

/** Returns the words of the types that the vendor's SDK publishes for a surface. */
export function publishedWords(surface: string): Words {
  const words: Words = new Map();
  for (const [types, roots] of surfaces[surface] ?? [])
    for (const { holder, members, values } of types.from(roots, WITHOUT)) {
      const name = holder.replaceAll(/\bBeta(?=[A-Z])/g, '');
      if (members.length > 0)
        for (const member of members)
          valueAt(
            valueAt(words, name, () => new Map()),
            member,
            () => new Set(),
          );
      if (values.length === 0) continue;
      const at = name.lastIndexOf('.');
      const owner = at > 0 ? words.get(name.slice(0, at)) : undefined;
      const isMember = owner?.has(name.slice(at + 1)) === true;
      const line = isMember ? owner : valueAt(words, name, () => new Map());
      const kept = valueAt(line, isMember ? name.slice(at + 1) : OWN, () => new Set<string>());
      for (const value of values) kept.add(value);
    }
  return words;
}
