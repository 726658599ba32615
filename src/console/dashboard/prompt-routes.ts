import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { Type } from '../../base/schema/type.ts';
import type { ListedPrompt, SavedPrompt } from '../../customers/prompts/saved-prompt.ts';
import { dashboardRoute } from './dashboard-route.ts';
import {
  newPrompt,
  type PromptContent,
  type PromptView,
  promptChange,
  promptList,
  wholePrompt,
} from './prompt-schema.ts';

const PATH = '/dashboard/v1/organizations/{account}/prompts';

/** The prompts that the developers of an organization share on the playground. */
export const promptRoutes = [
  dashboardRoute(
    { method: 'GET', path: PATH, access: 'developer', answer: promptList },
    async ({ accountId }, { prompts }) => ({ data: (await prompts.list(accountId)).map(listedView) }),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/{id}`, access: 'developer', answer: wholePrompt },
    async ({ accountId, params }, { prompts }) => wholeView(await prompts.find(accountId, params.id)),
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: PATH,
      access: 'developer',
      body: newPrompt,
      status: 201,
      answer: wholePrompt,
    },
    async ({ accountId, body, visitor }, { prompts }) => {
      const order = { name: body.name.trim(), content: JSON.stringify(body.content) };
      return wholeView(await prompts.add(accountId, order, visitor.email));
    },
  ),
  dashboardRoute(
    {
      method: 'PATCH',
      path: `${PATH}/{id}`,
      access: 'developer',
      body: promptChange,
      answer: wholePrompt,
    },
    async ({ accountId, params, body, visitor }, { prompts }) => {
      const change = {
        ...(body.name !== undefined && { name: body.name.trim() }),
        ...(body.content !== undefined && { content: JSON.stringify(body.content) }),
        revision: body.revision,
      };
      return wholeView(await prompts.change({ accountId, id: params.id }, change, visitor.email));
    },
  ),
  dashboardRoute(
    {
      method: 'DELETE',
      path: `${PATH}/{id}`,
      access: 'developer',
      answer: Type.Object({ deleted: Type.Literal(true) }),
    },
    async ({ accountId, params }, { prompts }) =>
      (await prompts.remove(accountId, params.id)) ?? { deleted: true as const },
  ),
];

const listedView = ({ id, name, revision, changedAt, changedBy }: ListedPrompt) => ({
  id,
  name,
  revision,
  changed_at: isoTime(changedAt),
  changed_by: changedBy,
});

const wholeView = (found: SavedPrompt | Refusal): PromptView | Refusal =>
  found instanceof Refusal
    ? found
    : { ...listedView(found), content: JSON.parse(found.content) as PromptContent };
