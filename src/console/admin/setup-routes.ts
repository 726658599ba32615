import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'milestones'>();

const count = (description: string) => Type.Integer({ description });

const setup = Type.Object(
  {
    live_providers: count('The providers that are called. Simulated ones are not.'),
    live_models: count('The models that such a provider answers for.'),
    first_answer_at: orNull(time, 'When a provider first answered a request. `null` means that none has.'),
  },
  { title: 'Setup' },
);

/** The route for what is left to set up. */
export const setupRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/setup',
      group: 'Admin: operation',
      summary: 'Shows how far the server is set up',
      answer: setup,
      returns: 'What answers, and the first answer of a provider.',
    },
    async ({ exchange: { snapshot } }, { milestones }) => ({
      live_providers: [...snapshot.providers.values()].filter(({ mode }) => mode === 'live').length,
      live_models: snapshot.catalog.entries.filter((entry) => isAvailable(entry) && !isSimulated(entry))
        .length,
      first_answer_at: isoTimeOrNull((await milestones.milestone('answer')) ?? null),
    }),
  ),
];
