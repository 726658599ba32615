import type { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Inference } from './inference.ts';

/**
 * Completes a request, or refuses it. Only a step that has to wait returns a promise, since a promise costs
 * each request a microsecond.
 */
export type Step = (inference: Inference) => MaybeLater<Refusal | undefined>;
