import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import { closed } from '../routes/closed.ts';
import { NAME } from '../routes/name-texts.ts';

const name = Type.String(NAME);

/** The conversation that the playground shows again. */
const content = Type.Object(
  {
    model: Type.String({ maxLength: 300 }),
    dialect: Type.Enum(['messages', 'responses', 'chat', 'gemini']),
    settings: Type.Record(Type.String(), Type.Unknown()),
    turns: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
    text: Type.String(),
  },
  closed,
);

const listedPrompt = Type.Object({
  id: Type.String(),
  name: Type.String(),
  revision: Type.Integer(),
  changed_at: Type.String(),
  changed_by: Type.String(),
});
export const wholePrompt = Type.Object({ ...listedPrompt.properties, content });
export const promptList = Type.Object({ data: Type.Array(listedPrompt) });

export type PromptContent = Static<typeof content>;
export type PromptView = Static<typeof wholePrompt>;
export type PromptList = Static<typeof promptList>;

export const newPrompt = Type.Object({ name, content }, closed);
export const promptChange = Type.Partial(
  Type.Object({ name, content, revision: Type.Integer({ minimum: 1 }) }),
  closed,
);
export const removedPrompt = Type.Object({ deleted: Type.Literal(true) });
