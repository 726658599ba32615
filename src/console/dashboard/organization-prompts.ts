import type { Static } from 'typebox';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { ListedPrompt, SavedPrompt } from '../../customers/prompts/saved-prompt.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody, WithParams } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import type {
  newPrompt,
  PromptContent,
  PromptList,
  PromptView,
  promptChange,
  removedPrompt,
} from './prompt-schema.ts';

type PromptCall<Input = unknown> = OrganizationCall<WithParams<'id'> & Input>;

export const listPrompts = async (
  { accountId }: OrganizationCall,
  { prompts }: DashboardParts,
): Promise<PromptList> => ({ data: (await prompts.list(accountId)).map(rowView) });

export const showPrompt = async (
  { accountId, params }: PromptCall,
  { prompts }: DashboardParts,
): Promise<PromptView> => promptView(accepted(await prompts.find(accountId, params.id)));

/** Saves a new prompt. */
export async function addPrompt(
  { accountId, body, visitor }: OrganizationCall<WithBody<typeof newPrompt>>,
  { prompts }: DashboardParts,
): Promise<PromptView> {
  const order = { name: body.name.trim(), content: JSON.stringify(body.content) };
  return promptView(accepted(await prompts.add(accountId, order, visitor.email)));
}

/** Changes a saved prompt. Fields that the body omits stay. */
export async function changePrompt(
  { accountId, params: { id }, body, visitor }: PromptCall<WithBody<typeof promptChange>>,
  { prompts }: DashboardParts,
): Promise<PromptView> {
  const change = {
    ...(body.name !== undefined && { name: body.name.trim() }),
    ...(body.content !== undefined && { content: JSON.stringify(body.content) }),
    revision: body.revision,
  };
  return promptView(accepted(await prompts.change({ accountId, id }, change, visitor.email)));
}

export async function removePrompt(
  { accountId, params }: PromptCall,
  { prompts }: DashboardParts,
): Promise<Static<typeof removedPrompt>> {
  accepted(await prompts.remove(accountId, params.id));
  return { deleted: true };
}

const rowView = ({ id, name, revision, changedAt, changedBy }: ListedPrompt) => ({
  id,
  name,
  revision,
  changed_at: isoTime(changedAt),
  changed_by: changedBy,
});

const promptView = (prompt: SavedPrompt): PromptView => ({
  ...rowView(prompt),
  // The schema of a body has checked the content before it was saved.
  content: JSON.parse(prompt.content) as PromptContent,
});
