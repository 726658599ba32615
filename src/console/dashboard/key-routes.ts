import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { KeyWithSecret } from '../../money/accounts/accounts.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { keyFieldsOf } from '../admin/key-fields.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardCall, type DashboardRoute, dashboardRoute } from './dashboard-route.ts';
import {
  type KeyChangeBody,
  type KeyList,
  type KeyNames,
  keyChangeBody,
  keyList,
  keyNames,
  keysQuery,
  type ListedKey,
  listedKey,
  rotateBody,
  type ShownKey,
  shownKey,
} from './key-schema.ts';
import { hasEnded, monthEndsAt, showKeys } from './show-keys.ts';

const KEYS = '/dashboard/v1/organizations/{account}/keys';
const KEY = `${KEYS}/{key}` as const;
const PAGE = 50;

type Call = Pick<DashboardCall<unknown, unknown>, 'accountId' | 'exchange' | 'visitor'>;

/** The keys of an organization. Only the answer that makes a secret has one. */
export function keyRoutes(parts: DashboardParts): DashboardRoute[] {
  const { accounts } = parts;
  const showOne = async (accountId: string, key: ApiKey | Refusal): Promise<ListedKey | Refusal> =>
    key instanceof Refusal ? key : (await showKeys(parts, accountId, [key]))[0]!;
  const showSecret = async (accountId: string, made: KeyWithSecret): Promise<ShownKey> => ({
    secret: made.secret,
    key: (await showKeys(parts, accountId, [made.apiKey]))[0]!,
  });
  return [
    dashboardRoute({
      ...{ method: 'GET', path: KEYS, access: 'viewer', query: keysQuery, answer: keyList },
      handle: ({ accountId, query }) => listKeys(parts, accountId, query),
    }),
    dashboardRoute({
      ...{ method: 'GET', path: `${KEYS}/names`, access: 'viewer', answer: keyNames },
      handle: ({ accountId }) => nameKeys(parts, accountId),
    }),
    dashboardRoute({
      ...{ method: 'GET', path: KEY, access: 'viewer', answer: listedKey },
      handle: async (call) => showOne(call.accountId, await findKey(parts, call)),
    }),
    dashboardRoute({
      ...{ method: 'POST', path: KEYS, access: 'developer', body: keyChangeBody, answer: shownKey },
      async handle({ accountId, visitor, body }): Promise<Reply | Refusal> {
        const wanted = keyFieldsOf(body);
        if (wanted instanceof Refusal) return wanted;
        const made = await accounts.createKey(accountId, wanted, visitor.email);
        return made instanceof Refusal ? made : jsonReply(201, await showSecret(accountId, made));
      },
    }),
    dashboardRoute({
      ...{ method: 'PATCH', path: KEY, access: 'developer', body: keyChangeBody, answer: listedKey },
      handle: async (call) => showOne(call.accountId, await changeKey(parts, call, call.body)),
    }),
    dashboardRoute({
      ...{ method: 'POST', path: `${KEY}/rotate`, access: 'developer', body: rotateBody, answer: shownKey },
      async handle(call) {
        const key = await findOpenKey(parts, call);
        if (key instanceof Refusal) return key;
        const overlapMs = (call.body.overlap_s ?? 0) * 1_000;
        const made = await accounts.rotateKey(key.id, overlapMs, call.visitor.email);
        return made instanceof Refusal ? made : showSecret(call.accountId, made);
      },
    }),
    dashboardRoute({
      ...{ method: 'DELETE', path: KEY, access: 'developer', answer: listedKey },
      async handle(call) {
        const key = await findKey(parts, call);
        if (key instanceof Refusal) return key;
        return showOne(call.accountId, await accounts.revokeKey(key.id, call.visitor.email));
      },
    }),
  ];
}

async function listKeys(
  parts: DashboardParts,
  accountId: string,
  { state = 'active', q = '', after, limit }: Static<typeof keysQuery>,
): Promise<KeyList | Refusal> {
  const keys = await parts.accounts.listKeys(accountId);
  if (keys instanceof Refusal) return keys;
  const now = parts.clock.now();
  const ended = keys.filter((key) => hasEnded(key, now)).length;
  const words = q.toLowerCase().split(/\s+/);
  const found = keys
    .toReversed()
    .filter((key) => state === 'all' || hasEnded(key, now) === (state === 'ended'))
    .filter(({ id, name, hint }) =>
      words.every((word) => `${id} ${name ?? ''} ${hint}`.toLowerCase().includes(word)),
    );
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  const end = start + Number(limit ?? PAGE);
  const page = found.slice(start, end);
  return {
    data: await showKeys(parts, accountId, page),
    next: end < found.length ? page.at(-1)!.id : null,
    counts: { active: keys.length - ended, ended },
    month_ends_at: monthEndsAt(now),
  };
}

/** The reports and lists have only ids, since an organization can have thousands of keys. */
async function nameKeys({ accounts }: DashboardParts, accountId: string): Promise<KeyNames | Refusal> {
  const keys = await accounts.listKeys(accountId);
  return keys instanceof Refusal ? keys : { data: keys.map(({ id, name, hint }) => ({ id, name, hint })) };
}

/** Finds the key that the path names among those of the organization. */
async function findKey(
  { accounts }: DashboardParts,
  { accountId, exchange }: Call,
): Promise<ApiKey | Refusal> {
  const keys = await accounts.listKeys(accountId);
  if (keys instanceof Refusal) return keys;
  return keys.find(({ id }) => id === exchange.params.key) ?? noSuchKey();
}

async function findOpenKey(parts: DashboardParts, call: Call): Promise<ApiKey | Refusal> {
  const key = await findKey(parts, call);
  return key instanceof Refusal || !hasEnded(key, parts.clock.now()) ? key : ended(key);
}

async function changeKey(parts: DashboardParts, call: Call, body: KeyChangeBody): Promise<ApiKey | Refusal> {
  const key = await findOpenKey(parts, call);
  if (key instanceof Refusal) return key;
  const wanted = keyFieldsOf(body);
  return wanted instanceof Refusal ? wanted : parts.accounts.changeKey(key.id, wanted, call.visitor.email);
}

const noSuchKey = (): Refusal =>
  new Refusal('not_found', { message: 'The organization has no API key with this id.' });

const ended = ({ revokedAt }: ApiKey): Refusal =>
  new Refusal('conflict', {
    message: `This API key ${revokedAt === null ? 'has expired' : 'was revoked'}. Create another one.`,
  });
