import type { BackgroundForm } from '../../translation/contract/background-form.ts';
import { backgroundInteractionsForm } from '../../translation/protocols/interactions/background-interactions-form.ts';
import { storedInteractions } from '../../translation/protocols/interactions/stored-interactions.ts';
import { backgroundResponsesForm } from '../../translation/protocols/responses/background-responses-form.ts';

/** Returns the form of an answer in the background by its id. */
export const backgroundFormOf = (id: string): BackgroundForm =>
  id.startsWith(storedInteractions.idPrefix) ? backgroundInteractionsForm : backgroundResponsesForm;
