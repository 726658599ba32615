import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { recordOf } from '../../base/lib/records.ts';
import { reservedMembers } from '../canonical/reserved-field.ts';
import { ORDINARY_TIERS, tierPrice } from '../canonical/service-tiers.ts';
import { cacheLifetime } from './cache-lifetime.ts';
import { type MemberRule, preferenceRule, type Requirement, requirementRule } from './member-rule.ts';
import { pricedBeta } from './priced-betas.ts';

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const reservedRules = recordOf(
  reservedMembers,
  (field): MemberRule =>
    (value, inspection) => {
      if (!isEmpty(value)) inspection.reserve(field);
    },
);

const speed = preferenceRule({
  extra: 'speed',
  loss: 'speed',
  defaults: new Set(['standard']),
  price: (value) => (value === 'fast' ? 'fast' : undefined),
});

/** Inspects fallbacks, each of which can have its own speed with its own price. */
const fallbacks: MemberRule = (value, inspection) => {
  reservedRules.fallbacks(value, inspection);
  for (const [index, fallback] of listOf(value).entries()) {
    if (!isObject(fallback) || fallback.speed == null) continue;
    inspection.steps.push(index, 'speed');
    speed(fallback.speed, inspection);
    inspection.steps.pop();
    inspection.steps.pop();
  }
};

/** An object refers to a prompt that the vendor stores. A text or a list belongs to the request itself. */
const storedPrompt: MemberRule = (value, inspection) => {
  if (isObject(value)) inspection.reserve('prompt.id', 'id');
};

/** Inspects the lifetime of cached prefixes, of which the longest has a price of its own. */
const cacheOptions: MemberRule = (value, inspection) => {
  if (!isObject(value) || value.ttl == null || value.ttl === '30m') return;
  inspection.note({
    kind: 'preference',
    extra: 'prompt_cache_options.ttl',
    loss: 'cache-retention',
    price: value.ttl === '12h' ? 'cache_write_12h' : undefined,
    path: inspection.path('ttl'),
  });
};

/** Reports whether a request has more answers written than it gets. */
const isMoreThanAsked = (best: unknown, { n }: JsonObject): boolean =>
  typeof best === 'number' && best > (typeof n === 'number' ? n : 1);

/** Makes a rule for the model's own search, which vendors name differently. */
const search = (isWanted: Requirement['isWanted']): MemberRule =>
  requirementRule({ extra: 'web_search', price: () => 'web_search', isWanted });

/** Beta names, which hosts of another cloud take in the body and the vendor takes in a header. */
const betas: MemberRule = (value, inspection) => {
  for (const [index, word] of listOf(value).entries()) {
    const priced = typeof word === 'string' ? pricedBeta(word.trim()) : undefined;
    if (!priced) continue;
    const { extra, loss, price } = priced;
    inspection.note({ kind: 'preference', extra, loss, price, path: inspection.path(index) });
  }
};

/**
 * Members of every vendor, checked in all dialects. A host may understand more members than its protocol has.
 */
export const watchedMembers: Readonly<Record<string, MemberRule>> = {
  ...reservedRules,
  prompt: storedPrompt,
  betas,
  anthropic_beta: betas,
  service_tier: preferenceRule({
    extra: 'service_tier',
    loss: 'service-tier',
    defaults: ORDINARY_TIERS,
    price: tierPrice,
  }),
  fallbacks,
  speed,
  prompt_cache_retention: preferenceRule({
    extra: 'prompt_cache_retention',
    loss: 'cache-retention',
    defaults: new Set(['in_memory', 'in-memory']),
  }),
  prompt_cache_options: cacheOptions,
  cache_control: cacheLifetime,
  inference_geo: requirementRule({
    extra: 'inference_geo',
    price: () => 'inference_geo',
    isWanted: (value) => value !== 'global',
  }),
  modalities: requirementRule({
    extra: 'modalities',
    price: (value) => (listOf(value).includes('image') ? 'image_generation' : 'audio_output'),
    isWanted: (value) => listOf(value).some((word) => word !== 'text'),
  }),
  // The vendor's own agents write output beyond the request's ceiling.
  multi_agent: requirementRule({
    extra: 'multi_agent',
    isWanted: (value) => !isObject(value) || value.enabled !== false,
  }),
  best_of: requirementRule({ extra: 'best_of', isWanted: isMoreThanAsked }),
  web_search_options: search(() => true),
  search_parameters: search((value) => !isObject(value) || value.mode !== 'off'),
  enable_search: search((value) => value !== false),
};
