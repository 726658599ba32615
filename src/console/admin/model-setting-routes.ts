import type { Fields } from '../../base/schema/json-type.ts';
import { Type } from '../../base/schema/type.ts';
import { ModelSchema } from '../../settings/config/catalog-schema.ts';
import { writtenRow } from '../../settings/config/written-row.ts';
import { accepted } from '../routes/accepted.ts';
import { adminRouteWith } from './admin-route.ts';
import { changedModel, changedModelView, dryRun, dryRunView } from './model-change-view.ts';
import { revisionField } from './revision-field.ts';

const route = adminRouteWith<'clock' | 'settings'>();

const group = 'Admin: catalog';
const ONE = '/admin/v1/models/{id*}';
const text = Type.String();
const hidden = Type.Optional(
  Type.Boolean({ description: 'true: the model is in no list, and no request reaches it.' }),
);
const newModel = writtenRow<Fields & { id: string; hidden?: boolean }>(ModelSchema, {
  required: ['id'],
  more: { hidden },
});
const modelChange = writtenRow<Fields & { hidden?: boolean; revision?: number }>(ModelSchema, {
  required: [],
  without: ['id'],
  more: { hidden, revision: revisionField },
});

const query = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'true: nothing is stored. The answer says what would change.' }),
  ),
});

const removed = Type.Object({ id: text, deleted: Type.Literal(true) }, { title: 'Removed Model' });

const modelRoute = { group, query, returns: 'The model. With `dry_run`, what the change would do.' } as const;
const bodyExample = { pricing_usd_per_mtok: { input: 1, output: 4 } };

/** The routes with which operators make, change, hide and remove models. */
export const modelSettingRoutes = [
  route(
    {
      ...modelRoute,
      method: 'POST',
      path: '/admin/v1/models',
      summary: 'Stores a model, which is served at once',
      body: newModel,
      bodyExample: {
        id: 'small',
        context_window: 131_072,
        ...bodyExample,
        routes: [{ provider: 'local', model: 'small-1' }],
      },
      answer: changedModel,
      status: 201,
      isDry: (query) => query.dry_run === true,
      errors: ['conflict'],
    },
    async ({ body, query: { dry_run: isDry = false }, actor }, { settings, clock }) =>
      changedModelView(accepted(await settings.models.create(body, { actor, isDry })), clock.now()),
  ),
  route(
    {
      ...modelRoute,
      method: 'PATCH',
      path: ONE,
      summary: 'Changes fields of a model; a stored row then lies over that of a file',
      body: modelChange,
      bodyExample,
      answer: changedModel,
      errors: ['conflict', 'not_found'],
    },
    async ({ params, body, query: { dry_run: isDry = false }, actor }, { settings, clock }) =>
      changedModelView(
        accepted(await settings.models.change(params.id, body, { actor, isDry })),
        clock.now(),
      ),
  ),
  route(
    {
      ...modelRoute,
      method: 'DELETE',
      path: ONE,
      summary: 'Removes the stored row of a model; that of a file serves again',
      answer: Type.Union([removed, dryRun]),
      returns: 'The id. With `dry_run`, what the removal would do.',
      errors: ['conflict', 'not_found'],
    },
    async ({ params, query: { dry_run: isDry = false }, actor }, { settings }) => {
      const change = accepted(await settings.models.remove(params.id, { actor, isDry }));
      return change.dryRun ? dryRunView(change.dryRun) : { id: change.id, deleted: true as const };
    },
  ),
];
