import type { Refusal } from '../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../base/errors/unqualified-param.ts';
import type { Thinking } from '../canonical/request.ts';
import type { EncodeTarget } from '../contract/encode-target.ts';
import { budgetOfEffort, hasBudget, nearestEffort } from './efforts.ts';
import type { EncodeNotes } from './encode-notes.ts';

/** The longest effort of a client that a refusal quotes. */
const MAX_QUOTED = 40;

/** The part of the client's thinking options that the target supports. */
export type ThinkingPlan = {
  mode: 'off' | 'on' | 'adaptive' | 'default';
  budgetTokens?: number;
  /** An effort that the target lists. */
  effort?: string;
  /**
   * The budget of an effort, for a target without levels. Encoders reduce it so that tokens remain for the
   * answer. They do not reduce a requested budget for that.
   */
  effortBudget?: number;
  visible: boolean;
  /**
   * True if the client named a kind of summary and no effort. Models with a switch for thinking then think.
   */
  wantsSummary: boolean;
};

/**
 * Returns the part of a request's thinking options that the target supports. The rest is reported as lost or
 * refused. The result is undefined without options, and for a model that does not think.
 */
export function planThinking(
  { thinking }: { readonly thinking?: Thinking },
  target: EncodeTarget,
  notes: EncodeNotes,
): ThinkingPlan | undefined {
  if (thinking === undefined) return undefined;
  const { effort: wanted, effortIsRequired, mode, budgetTokens, visible, display } = thinking;
  // A model that cannot think does what `none` asks for.
  const needsNoEffort = wanted === undefined || (wanted === 'none' && !target.reasoning);
  const isBudget = wanted !== undefined && target.thinkingBudgets === 'required' && hasBudget(wanted);
  const effort =
    needsNoEffort || isBudget ? undefined : settleEffort({ wanted, effortIsRequired }, target, notes);
  if (!target.reasoning) {
    if (mode === 'enabled' || mode === 'adaptive') notes.lose('thinking-budget');
    return undefined;
  }
  if (mode === 'disabled' || effort === 'none') return { mode: 'off', visible: false, wantsSummary: false };
  return {
    mode: mode === 'enabled' ? 'on' : mode,
    visible,
    wantsSummary: needsNoEffort && mode === 'default' && visible && display !== undefined,
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(effort !== undefined && { effort }),
    ...(isBudget && { effortBudget: budgetOfEffort(wanted) }),
  };
}

type WantedEffort = { wanted: string; effortIsRequired: boolean };

/** Returns the effort for a target that may not list the wanted one. */
function settleEffort(
  { wanted, effortIsRequired }: WantedEffort,
  target: EncodeTarget,
  notes: EncodeNotes,
): string | undefined {
  if (target.reasoningEfforts.includes(wanted)) return wanted;
  if (effortIsRequired) notes.refuse(refuseEffort(wanted, target));
  else notes.lose('effort-lowered');
  return nearestEffort(wanted, target.reasoningEfforts);
}

function refuseEffort(wanted: string, { reasoningEfforts }: EncodeTarget): Refusal {
  const quoted = JSON.stringify(wanted.slice(0, MAX_QUOTED));
  const accepted = reasoningEfforts.join(', ') || 'none';
  return unqualifiedParam(
    'reasoning_effort',
    `the chosen model does not accept ${quoted}; it takes ${accepted}`,
  );
}
