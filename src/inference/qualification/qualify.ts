import { Refusal } from '../../base/errors/refusal.ts';
import { andThen } from '../../base/lib/maybe-later.ts';
import { MeasuredPrompt } from '../cost/measured-prompt.ts';
import type { Inference } from '../request/inference.ts';
import type { Step } from '../request/step.ts';
import { fitWindow } from './fit-window.ts';
import { refuseLongPrompt } from './refuse-long-prompt.ts';
import { refuseSeveral } from './refuse-several.ts';
import { screenRequest } from './screen-request.ts';
import { unmetNeed } from './unmet-need.ts';

/**
 * Fits the request to the model that is to serve it, and measures its prompt. Refuses it if the model lacks a
 * needed ability, the plan excludes the prompt, or the window is too small.
 */
export const qualify: Step = (inference) => {
  const { conversation } = inference;
  const qualifying = fitToModel(inference);
  if (qualifying === undefined) return measure(inference);
  return andThen(qualifying, (refusal) =>
    refusal ? (conversation?.explain(refusal) ?? refusal) : measure(inference),
  );
};

function measure(inference: Inference): undefined {
  inference.prompt = new MeasuredPrompt(inference);
}

/** Fits the request to its model. */
export const fitToModel: Step = (inference) => {
  const { dialect, entry, request } = inference;
  const unmet = dialect.needs && unmetNeed(entry, dialect.needs, request.body.value);
  if (unmet) return unmet;
  const several = refuseSeveral(inference);
  if (several) return several;
  const screened = screenRequest(inference);
  if (screened instanceof Refusal) return screened;
  inference.request = screened;
  const excess = refuseLongPrompt(inference);
  return excess === undefined
    ? fitWindow(inference)
    : andThen(excess, (refusal) => refusal ?? fitWindow(inference));
};
