import { dashboardRoute } from './dashboard-route.ts';
import { modelDetail, modelList, modelsQuery } from './model-schema.ts';
import { listModels, showModel } from './organization-models.ts';

const MODELS = '/dashboard/v1/organizations/{account}/models';

/** The catalog as the clients of an organization see it. */
export const modelRoutes = [
  dashboardRoute(
    { method: 'GET', path: MODELS, access: 'viewer', query: modelsQuery, answer: modelList },
    listModels,
  ),
  dashboardRoute(
    { method: 'GET', path: `${MODELS}/{model*}`, access: 'viewer', answer: modelDetail },
    showModel,
  ),
];
