import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';

const text = Type.String();

/** `GET …/snippets`. `model`: the id of the model in the snippets. `key`: the key that they are for. */
export const snippetsQuery = Type.Object({
  model: Type.Optional(Type.String({ maxLength: 300 })),
  key: Type.Optional(Type.String({ maxLength: 100 })),
});

export const snippetList = Type.Object({
  base_url: text,
  model: text,
  /** True if the plan or the key lets the model be called, and a provider is set up for it. */
  is_callable: Type.Boolean(),
  snippets: Type.Array(
    Type.Object({
      id: text,
      title: text,
      kind: Type.Enum(['http', 'sdk', 'agent']),
      note: text,
      /** The key is in the variable `API_KEY`. `file` is `null` for commands of a shell. */
      parts: Type.Array(Type.Object({ file: orNull(text), code: text })),
    }),
  ),
});
export type SnippetList = Static<typeof snippetList>;
