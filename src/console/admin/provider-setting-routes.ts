import { Refusal } from '../../base/errors/refusal.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { Type } from '../../base/schema/type.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { ProviderSchema } from '../../settings/config/provider-schema.ts';
import { writtenRow } from '../../settings/config/written-row.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { testProvider } from '../../upstream/calling/test-provider.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { unknownProvider } from '../settings/setting-refusals.ts';
import { adminRouteWith } from './admin-route.ts';
import { provider } from './provider-schema.ts';
import { providerTest, providerTestView } from './provider-test-view.ts';
import { providerViewInFleet } from './provider-views-in-fleet.ts';
import { revisionField } from './revision-field.ts';

const route = adminRouteWith<'activity' | 'capacity' | 'fleet' | 'routing' | 'settings'>();

const ONE = '/admin/v1/providers/{id}';
const group = 'Admin: providers';
const text = Type.String();

const model = Type.Optional(
  Type.String({ minLength: 1, maxLength: 256, description: "The provider's name for the model to call." }),
);

const newProvider = writtenRow<Fields & { id: string }>(ProviderSchema, { required: ['id'] });
const testedProvider = writtenRow<Fields & { id: string; model?: string }>(ProviderSchema, {
  required: ['id'],
  more: { model },
});
const changedProvider = writtenRow<Fields & { revision?: number }>(ProviderSchema, {
  required: [],
  without: ['id'],
  more: { revision: revisionField },
});

const removed = Type.Object(
  {
    id: text,
    deleted: Type.Literal(true),
    warnings: Type.Array(text, { description: 'Names each model that has lost its last route.' }),
  },
  { title: 'Removed Provider' },
);

const bodyExample = {
  id: 'local',
  wire: 'openai-chat',
  base_url: 'http://127.0.0.1:9001/v1',
  api_key: 'sk-example',
};

/** The routes with which operators make, change, test and remove providers. */
export const providerSettingRoutes = [
  route(
    {
      method: 'POST',
      path: '/admin/v1/providers',
      group,
      summary: 'Stores a provider, which serves at once',
      body: newProvider,
      bodyExample,
      status: 201,
      answer: provider,
      returns: 'The provider. Its secrets are encrypted, and no answer shows them.',
      errors: ['conflict', 'permission_denied'],
    },
    async ({ body, actor, exchange }, parts) => {
      const created = await parts.settings.providers.create(body, { actor, isOwner: isOwner(exchange) });
      return providerViewInFleet(accepted(created), parts);
    },
  ),
  route(
    {
      method: 'PATCH',
      path: ONE,
      group,
      summary: 'Changes fields of a stored provider',
      body: changedProvider,
      bodyExample: { api_key: 'sk-example', revision: 1 },
      answer: provider,
      returns: 'The provider.',
      errors: ['conflict', 'not_found', 'permission_denied'],
    },
    async ({ params, body, actor, exchange }, parts) => {
      const changedBy = { actor, isOwner: isOwner(exchange) };
      return providerViewInFleet(
        accepted(await parts.settings.providers.change(params.id, body, changedBy)),
        parts,
      );
    },
  ),
  route(
    {
      method: 'DELETE',
      path: ONE,
      group,
      summary: 'Removes a stored provider',
      answer: removed,
      returns: 'The id, and warnings about models without a route.',
      errors: ['conflict', 'not_found'],
    },
    async ({ params, actor }, { settings }) => {
      const lostModels = accepted(await settings.providers.remove(params.id, actor));
      const warnings = lostModels.map((id) => `The model '${id}' has lost its last route.`);
      return { id: params.id, deleted: true as const, warnings };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/admin/v1/providers/test',
      group,
      summary: 'Calls a provider that is not stored yet: its list of models, and a short answer',
      body: testedProvider,
      bodyExample,
      answer: providerTest,
      returns: 'The result of the calls. Nothing is stored.',
      errors: ['permission_denied'],
    },
    async ({ body: { model: wanted, ...fields }, exchange }, { settings }) => {
      const draft = accepted(settings.providers.draft(fields, { isOwner: isOwner(exchange) }));
      return providerTestView(await testProvider(draft, entriesOf(exchange), wanted));
    },
  ),
  route(
    {
      method: 'POST',
      path: `${ONE}/test`,
      group,
      summary: 'Calls a provider: its list of models, and a short answer',
      body: Type.Object({ model }, closed),
      bodyExample: {},
      answer: providerTest,
      returns: 'The result of the calls.',
      errors: ['conflict', 'not_found'],
    },
    async ({ params, body, exchange }) => {
      const configured = exchange.snapshot.providers.get(params.id);
      if (!configured) throw unknownProvider(params.id, exchange.snapshot);
      if (configured.mode === 'not-set-up') throw notSetUp(configured);
      return providerTestView(await testProvider(configured, entriesOf(exchange), body.model));
    },
  ),
];

const isOwner = ({ operatorRole }: Exchange): boolean => operatorRole === 'owner';

const entriesOf = ({ snapshot }: Exchange): readonly CatalogEntry[] => snapshot.catalog.entries;

const notSetUp = ({ id: name, stored, missingVariables }: Provider): Refusal =>
  new Refusal('conflict', {
    message:
      stored?.unusable?.reason ??
      `The provider '${name}' is not set up${missingVariables.length > 0 ? `: ${missingVariables.join(', ')} is missing` : ''}.`,
  });
