import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { foldName } from '../../members/fold-name.ts';
import { hostedGoogleTool, unknownGoogleTool } from '../../members/google-tools.ts';
import { createInspection, type InspectBody } from '../../members/inspect-body.ts';
import type { Inspection } from '../../members/inspection.ts';
import type { MemberRule } from '../../members/member-rule.ts';
import { noteHosted, serviceTierRule } from './inspect-rules.ts';
import { addressedRequestSchema, generationMembers } from './request-schema.ts';

/** Reserves content that the vendor has cached, since it belongs to the account of the provider. */
const cachedContent: MemberRule = (value, inspection) => {
  if (value !== '') inspection.reserve('cached_content');
};

const serviceTier = serviceTierRule(new Set(['', 'standard', 'service_tier_standard', 'unspecified']));

const tools: MemberRule = (value, inspection) => {
  for (const [index, tool] of listOf(value).entries()) {
    if (!isObject(tool)) continue;
    inspection.tools++;
    const hosted = hostedGoogleTool(tool);
    const unknown = hosted ? undefined : unknownGoogleTool(tool);
    if (unknown !== undefined) inspection.reportUnknown('tool', unknown);
    if (hosted) noteHosted(hosted, index, inspection);
  }
};

/** Members that let the vendor choose another model. */
const ROUTING = ['routingConfig', 'modelSelectionConfig'] as const;

/**
 * The members that decide what an answer costs, and those that this gateway looks for, by their folded names.
 */
const watched: ReadonlyMap<string, string> = new Map(
  [...Object.keys(generationMembers), ...ROUTING].map((name) => [foldName(name), name]),
);

/** Reports whether no reader can take the name for another one, in a different case. */
const isExact = (name: string): boolean => (watched.get(foldName(name)) ?? name) === name;

const generationConfig: MemberRule = (value, inspection) => {
  const config = objectOf(value);
  const modalities = listOf(config['responseModalities']).filter(
    (word) => !/^(?:text|modality_unspecified)$/i.test(String(word)),
  );
  if (modalities.length > 0) noteModalities(modalities, inspection);
  for (const name of Object.keys(config)) {
    if (config[name] !== undefined && !isExact(name))
      inspection.note({ kind: 'foreign', path: inspection.path(name) });
  }
  for (const name of ROUTING) if (config[name] != null) inspection.reserve('router', name);
};

const noteModalities = (modalities: readonly unknown[], inspection: Inspection): void =>
  inspection.note({
    kind: 'requirement',
    extra: 'modalities',
    price: modalities.some((modality) => /image/i.test(String(modality)))
      ? 'image_generation'
      : 'audio_output',
    path: inspection.path('responseModalities'),
  });

/** Inspects the body of a request or of a token count. */
export const inspectGoogle: InspectBody = createInspection(
  addressedRequestSchema,
  ['contents', 'systemInstruction'],
  { rules: { cachedContent, serviceTier, tools, generationConfig } },
);
