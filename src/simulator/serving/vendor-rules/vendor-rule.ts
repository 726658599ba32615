import type { BadInput } from '../../model/bad-input.ts';
import type { Field } from '../../model/field.ts';
import type { WireId } from '../../model/wire.ts';

/** The model that a request names, and the wire that it came on. */
export type VendorTarget = { model: string; wire: WireId };

/** Something that a vendor refuses for some of its models, in the vendor's own words. */
export type VendorRule = {
  models: RegExp;
  wires: readonly WireId[];
  /** Returns the refusal, or undefined if the vendor takes the request. */
  check(body: Field, target: VendorTarget): BadInput | undefined;
};
