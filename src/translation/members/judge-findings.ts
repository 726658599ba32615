import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { formatPath, type Path } from '../../base/schema/format-path.ts';
import type { Extra } from '../canonical/extra.ts';
import type { LossCode } from '../canonical/loss.ts';
import { type CallPrice, callPrices, type PriceName } from '../canonical/price-name.ts';
import type { ReservedField } from '../canonical/reserved-field.ts';
import type { MemberFinding } from './inspection.ts';
import { judgeTools } from './judge-tools.ts';
import type { Judge } from './priced-betas.ts';
import { refuseReserved } from './refuse-reserved.ts';

/** A field that only providers whose row names it may get. */
export type Reserved = { field: ReservedField; path: Path };

export type Consent = {
  /** The model's public name. */
  model: string;
  /** Decides whether the model's row prices the extra, or the operator lets it through without a price. */
  judge: Judge;
  /** Reports whether any provider of the model may get the field. */
  mayReach(field: ReservedField): boolean;
};

export type Verdict = {
  /** The paths to remove. */
  removed: Path[];
  losses: LossCode[];
  /** The extras that pass without being billed. */
  unbilled: Extra[];
  /** The prices that bill the other extras that pass. */
  priced: PriceName[];
  /** The calls that every answer makes. */
  certain: CallPrice[];
  reserved: Reserved[];
};

type Inspected = { body: JsonObject; findings: readonly MemberFinding[]; tools: number };

/** Decides what happens to each finding, or returns the refusal for the first one that cannot be served. */
export function judgeFindings(inspected: Inspected, consent: Consent): Verdict | Refusal {
  const { findings, body, tools } = inspected;
  const verdict: Verdict = { removed: [], losses: [], unbilled: [], priced: [], certain: [], reserved: [] };
  const hosted = findings.filter((finding) => finding.kind === 'tool');
  const unserved = hosted.filter((tool) => consent.judge(tool) === 'refused');
  const offer = judgeTools({ body, unserved, tools });
  for (const finding of findings) {
    // A request that depends on its unserved tools is refused at the first of them.
    if (finding === unserved[0] && 'problem' in offer) return refuseTool(offer, consent);
    const refusal = addTo(verdict, finding, consent);
    if (refusal) return refusal;
  }
  if ('removed' in offer) verdict.removed.push(...offer.removed);
  return verdict;
}

/** Adds what happens to one finding to the verdict, or returns the refusal of the request. */
function addTo(verdict: Verdict, finding: MemberFinding, consent: Consent): Refusal | undefined {
  switch (finding.kind) {
    case 'foreign':
      verdict.removed.push(finding.path);
      return undefined;
    case 'address':
      return refuse('invalid_request', finding.path, finding.problem);
    case 'reserved':
      verdict.reserved.push(finding);
      return consent.mayReach(finding.field) ? undefined : refuseReserved(finding);
    default:
      return addPriced(verdict, finding, consent);
  }
}

type PricedFinding = Extract<MemberFinding, { price: unknown }>;

function addPriced(verdict: Verdict, finding: PricedFinding, consent: Consent): Refusal | undefined {
  const decision = consent.judge(finding);
  if (decision === 'billed') addPrice(verdict, finding);
  else if (decision === 'unbilled') verdict.unbilled.push(finding.extra);
  else if (finding.kind === 'requirement') return refusePrice(finding, consent);
  else {
    verdict.losses.push(finding.loss);
    if (finding.kind === 'preference') verdict.removed.push(finding.path);
  }
  return undefined;
}

function addPrice(verdict: Verdict, { kind, price }: PricedFinding): void {
  if (price === undefined) return;
  verdict.priced.push(price);
  if (kind === 'requirement' && isCallPrice(price)) verdict.certain.push(price);
}

const isCallPrice = (price: PriceName): price is CallPrice =>
  (callPrices as readonly PriceName[]).includes(price);

const refuse = (code: 'invalid_request' | 'route_not_qualified', path: Path, problem: string): Refusal => {
  const param = formatPath(path);
  return new Refusal(code, { param, message: `${param}: ${problem}` });
};

type Requirement = Extract<MemberFinding, { kind: 'requirement' }>;

function refusePrice({ path, price }: Requirement, { model }: Consent): Refusal {
  const named = price === undefined ? '' : ` (${price})`;
  return refuse(
    'route_not_qualified',
    path,
    `${model} has no price for this feature on this gateway${named}`,
  );
}

const refuseTool = ({ path, problem }: { path: Path; problem: string }, { model }: Consent): Refusal =>
  refuse('route_not_qualified', path, `${problem}, for which ${model} has no price on this gateway`);
