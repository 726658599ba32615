import { keyBody } from '../admin/key-body.ts';
import { rotationBody } from '../admin/secret-fields.ts';
import { changeKey, createKey, revokeKey, rotateKey } from './change-keys.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { keyList, keyNames, keysQuery, listedKey, shownKey } from './key-schema.ts';
import { listKeys, nameKeys } from './list-keys.ts';
import { showKey } from './show-keys.ts';

const KEYS = '/dashboard/v1/organizations/{account}/keys';
const KEY = `${KEYS}/{key}` as const;

/** The keys of an organization. Only the answer that makes a secret has one. */
export const keyRoutes = [
  dashboardRoute(
    { method: 'GET', path: KEYS, access: 'viewer', query: keysQuery, answer: keyList },
    listKeys,
  ),
  dashboardRoute({ method: 'GET', path: `${KEYS}/names`, access: 'viewer', answer: keyNames }, nameKeys),
  dashboardRoute({ method: 'GET', path: KEY, access: 'viewer', answer: listedKey }, showKey),
  dashboardRoute(
    { method: 'POST', path: KEYS, access: 'developer', body: keyBody, status: 201, answer: shownKey },
    createKey,
  ),
  dashboardRoute(
    { method: 'PATCH', path: KEY, access: 'developer', body: keyBody, answer: listedKey },
    changeKey,
  ),
  dashboardRoute(
    { method: 'POST', path: `${KEY}/rotate`, access: 'developer', body: rotationBody, answer: shownKey },
    rotateKey,
  ),
  dashboardRoute({ method: 'DELETE', path: KEY, access: 'developer', answer: listedKey }, revokeKey),
];
