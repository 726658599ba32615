import { dashboardRoute } from './dashboard-route.ts';
import { addPrompt, changePrompt, listPrompts, removePrompt, showPrompt } from './organization-prompts.ts';
import { newPrompt, promptChange, promptList, removedPrompt, wholePrompt } from './prompt-schema.ts';

const PROMPTS = '/dashboard/v1/organizations/{account}/prompts';
const PROMPT = `${PROMPTS}/{id}` as const;

/** The prompts that the developers of an organization share on the playground. */
export const promptRoutes = [
  dashboardRoute({ method: 'GET', path: PROMPTS, access: 'developer', answer: promptList }, listPrompts),
  dashboardRoute({ method: 'GET', path: PROMPT, access: 'developer', answer: wholePrompt }, showPrompt),
  dashboardRoute(
    {
      method: 'POST',
      path: PROMPTS,
      access: 'developer',
      body: newPrompt,
      status: 201,
      answer: wholePrompt,
    },
    addPrompt,
  ),
  dashboardRoute(
    { method: 'PATCH', path: PROMPT, access: 'developer', body: promptChange, answer: wholePrompt },
    changePrompt,
  ),
  dashboardRoute(
    { method: 'DELETE', path: PROMPT, access: 'developer', answer: removedPrompt },
    removePrompt,
  ),
];
