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
  /** Says whether the model's row prices the extra, or the operator lets it through without a price. */
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
  const served = judgeTools({ body, unserved, tools });
  for (const finding of findings) {
    const refusal = finding === unserved[0] && 'problem' in served ? refuseTool(served, consent) : undefined;
    if (refusal) return refusal;
    const refused = judge(finding, verdict, consent);
    if (refused) return refused;
  }
  if ('removed' in served) verdict.removed.push(...served.removed);
  return verdict;
}

function judge(finding: MemberFinding, verdict: Verdict, consent: Consent): Refusal | undefined {
  const { kind, path } = finding;
  if (kind === 'foreign') return void verdict.removed.push(path);
  if (kind === 'address') return refuse('invalid_request', path, finding.problem);
  if (kind === 'reserved') {
    verdict.reserved.push(finding);
    return consent.mayReach(finding.field) ? undefined : refuseReserved(finding);
  }
  const fate = consent.judge(finding);
  if (fate === 'unbilled') return void verdict.unbilled.push(finding.extra);
  if (fate === 'billed') return bill(finding, verdict);
  if (kind === 'requirement') return refusePrice(finding, consent);
  verdict.losses.push(finding.loss);
  if (kind === 'preference') verdict.removed.push(path);
  return undefined;
}

function bill({ kind, price }: Extract<MemberFinding, { price: unknown }>, verdict: Verdict): undefined {
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
