import type { JsonObject } from '../../base/json/json-body.ts';
import { inspectPart, inspectTools } from './inspect-parts.ts';
import { type InspectedBody, Inspection } from './inspection.ts';
import { isForeignTo } from './is-foreign-to.ts';
import type { MemberRule } from './member-rule.ts';
import { watchedMembers } from './watched-members.ts';

/** The members that hold the conversation and the tools. */
const places = {
  messages: inspectPart,
  contents: inspectPart,
  systemInstruction: inspectPart,
  system: inspectPart,
  input: inspectPart,
  images: inspectPart,
  mask: inspectPart,
  tools: inspectTools,
} satisfies Record<string, MemberRule>;

/** Inspects a body, and returns the findings and what is known of its tools. */
export type InspectBody = (body: JsonObject) => InspectedBody;

const NOTHING: InspectedBody = { findings: [], tools: 0, unknown: undefined, vendorRun: undefined };

type Meanings = {
  /** Watched names that mean something harmless in this dialect. */
  own?: readonly string[];
  /** Names in other servers of what this dialect holds credit for. They are dropped. */
  foreign?: readonly string[];
  /** Rules that only this dialect has. */
  rules?: Rules;
};

/** The rules by name. `null` means that the member is known and harmless. */
type Rules = Readonly<Record<string, MemberRule | null>>;

type Schema = { properties: Readonly<Record<string, unknown>> };

/**
 * Creates the inspection of a dialect's bodies: members by name, and the contents of the places that the
 * dialect has.
 */
export function createInspection(
  { properties }: Schema,
  within: readonly (keyof typeof places)[],
  { own = [], foreign = [], rules: dialectRules = {} }: Meanings = {},
): InspectBody {
  // The object has no prototype, since clients choose member names freely. A look-up in a map costs three
  // times as much.
  const rules: Rules = Object.assign(
    Object.create(null),
    harmless(Object.keys(properties)),
    watchedMembers,
    Object.fromEntries(within.map((name) => [name, places[name]])),
    harmless(own),
    dialectRules,
  );
  const isForeign = isForeignTo([...Object.keys(rules), ...foreign]);
  return (body) => {
    let inspection: Inspection | undefined;
    for (const name of Object.keys(body)) {
      const rule = rules[name];
      if (rule === null || (rule === undefined && !isForeign(name))) continue;
      const value = body[name];
      if (rule && value == null) continue;
      inspection ??= new Inspection(body);
      if (rule === undefined) inspection.note({ kind: 'foreign', path: [name] });
      else {
        inspection.steps.push(name);
        rule(value, inspection);
        inspection.steps.pop();
      }
    }
    return inspection ?? NOTHING;
  };
}

const harmless = (names: readonly string[]): Rules => Object.fromEntries(names.map((name) => [name, null]));
