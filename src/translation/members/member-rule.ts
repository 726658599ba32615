import type { JsonObject } from '../../base/json/json-body.ts';
import type { Extra } from '../canonical/extra.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { PriceName } from '../canonical/price-name.ts';
import type { Inspection } from './inspection.ts';

/** Inspects the value of a member of a body, a turn or a tool. */
export type MemberRule = (value: unknown, inspection: Inspection) => void;

type Preference = {
  extra: Extra;
  loss: LossCode;
  /** The values that cost nothing extra. */
  defaults: ReadonlySet<unknown>;
  price?: (value: unknown) => PriceName | undefined;
};

/** Makes a rule for a member whose value can be dropped. */
export const preferenceRule =
  ({ extra, loss, defaults, price }: Preference): MemberRule =>
  (value, inspection) => {
    if (defaults.has(value)) return;
    inspection.note({ kind: 'preference', extra, loss, price: price?.(value), path: inspection.path() });
  };

export type Requirement = {
  extra: Extra;
  price?: (value: unknown) => PriceName;
  /** Reports whether the value costs more than the default. */
  isWanted: (value: unknown, body: JsonObject) => boolean;
};

/** Makes a rule for a member that the answer depends on. */
export const requirementRule =
  ({ extra, price, isWanted }: Requirement): MemberRule =>
  (value, inspection) => {
    if (!isWanted(value, inspection.body)) return;
    inspection.note({ kind: 'requirement', extra, price: price?.(value), path: inspection.path() });
  };
