import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { hostedInteractionTool } from '../../members/google-tools.ts';
import { createInspection, type InspectBody } from '../../members/inspect-body.ts';
import { inspectFile } from '../../members/inspect-file.ts';
import type { Inspection } from '../../members/inspection.ts';
import type { MemberRule } from '../../members/member-rule.ts';
import { noteHosted, serviceTierRule } from '../google/inspect-rules.ts';
import { contentMembers } from './content-members.ts';
import { formatsOf } from './decode-options.ts';
import { normalRequestSchema } from './request-schema.ts';

const PRICED: ReadonlySet<string> = new Set(['image', 'audio', 'video']);

/** Finds addresses and files of the operator's account in the contents of steps. */
const input: MemberRule = (value, inspection) => {
  for (const [index, step] of listOf(value).map(objectOf).entries()) {
    const member = lookUp(contentMembers, String(step.type));
    if (member === undefined) continue;
    for (const [place, content] of listOf(step[member]).entries()) {
      if (textOf(objectOf(content).uri) === undefined) continue;
      inspection.steps.push(index, member, place);
      inspectFile(objectOf(content), 'uri', inspection);
      inspection.steps.splice(-3);
    }
  }
};

const serviceTier = serviceTierRule(new Set(['', 'standard', 'unspecified']));

const tools: MemberRule = (value, inspection) => {
  for (const [index, tool] of listOf(value).entries()) {
    if (!isObject(tool)) continue;
    inspection.tools++;
    const hosted = hostedInteractionTool(tool);
    if (hosted) noteHosted(hosted, index, inspection);
  }
};

const responseModalities: MemberRule = (value, inspection) =>
  noteOutput(
    listOf(value).map((word) => String(word).toLowerCase()),
    inspection,
  );

/** A format other than text asks for an image, a sound or a video. */
const responseFormat: MemberRule = (value, inspection) =>
  noteOutput(
    formatsOf(value).map((format) => textOf(objectOf(format).type) ?? 'text'),
    inspection,
  );

function noteOutput(types: readonly string[], inspection: Inspection): void {
  if (!types.some((type) => PRICED.has(type))) return;
  inspection.note({
    kind: 'requirement',
    extra: 'modalities',
    price: types.includes('image') ? 'image_generation' : 'audio_output',
    path: inspection.path(),
  });
}

/** Inspects the body of a request. */
export const inspectInteractions: InspectBody = createInspection(normalRequestSchema, [], {
  rules: {
    input,
    service_tier: serviceTier,
    tools,
    response_modalities: responseModalities,
    response_format: responseFormat,
  },
});
