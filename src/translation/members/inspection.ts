import type { JsonObject } from '../../base/json/json-body.ts';
import type { Path } from '../../base/schema/format-path.ts';
import type { Extra } from '../canonical/extra.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { PriceName } from '../canonical/price-name.ts';
import type { ReservedField } from '../canonical/reserved-field.ts';

/** The beginning of the names of unknown types in requests. The names of types in answers lack it. */
export const REQUESTED = 'requested ';

/** A hosted tool that the request offers. */
export type HostedTool = {
  kind: 'tool';
  extra: Extra;
  loss: LossCode;
  price: PriceName | undefined;
  path: Path;
  /** The name by which a tool choice refers to it: its name, else its type. */
  name: string;
};

/** A tool that the vendor runs, wherever the request offers it. */
export type VendorRunTool = {
  tool: JsonObject;
  /** The place of the tool. */
  at: Path;
  /** The path to remove with the tool. */
  path: Path;
  /** The name by which a tool choice refers to it: its name, else its type. */
  name: string;
};

/** A member or value that must not go upstream unchecked. */
export type MemberFinding =
  /** A known member in a different case, or the output ceiling under the name of another protocol. */
  | { kind: 'foreign'; path: Path }
  /** A value that costs more than the default. `price` names the price that bills it, if there can be one. */
  | { kind: 'preference'; extra: Extra; loss: LossCode; price: PriceName | undefined; path: Path }
  /** A value that costs more than the default, and that the answer depends on. */
  | { kind: 'requirement'; extra: Extra; price: PriceName | undefined; path: Path }
  | HostedTool
  /** A field that needs the consent of the provider's row. */
  | { kind: 'reserved'; field: ReservedField; path: Path }
  /** An address that only the operator may reach. */
  | { kind: 'address'; problem: string; path: Path };

/** The results of the inspection of a body. */
export interface InspectedBody {
  /** The findings, in the order of the document. */
  readonly findings: readonly MemberFinding[];
  /** The number of tools of any kind. */
  readonly tools: number;
  /** The tools that the vendor runs. Undefined if there are none. */
  readonly vendorRun: readonly VendorRunTool[] | undefined;
  /** The types that no official client knows, with their places. Undefined if there are none. */
  readonly unknown: readonly string[] | undefined;
}

/** The inspection of one body, whose rules add what they find. */
export class Inspection implements InspectedBody {
  readonly body: JsonObject;
  readonly findings: MemberFinding[] = [];
  /** The path of the value under inspection. */
  readonly steps: (string | number)[] = [];
  tools = 0;
  vendorRun: VendorRunTool[] | undefined;
  unknown: string[] | undefined;
  readonly #reserved = new Set<ReservedField>();

  constructor(body: JsonObject) {
    this.body = body;
  }

  /** Returns the current path, extended by `more`. */
  path(...more: (string | number)[]): Path {
    return [...this.steps, ...more];
  }

  /** Adds a finding. */
  note(finding: MemberFinding): void {
    this.findings.push(finding);
  }

  reportUnknown(place: 'part' | 'tool', type: string): void {
    this.unknown ??= [];
    this.unknown.push(`${REQUESTED}${place} ${type}`);
  }

  reportVendorRun(tool: VendorRunTool): void {
    this.vendorRun ??= [];
    this.vendorRun.push(tool);
  }

  /**
   * Notes a reserved field at the current path, extended by `more`.
   * A further place of a field changes no decision.
   */
  reserve(field: ReservedField, ...more: (string | number)[]): void {
    if (this.#reserved.has(field)) return;
    this.#reserved.add(field);
    this.note({ kind: 'reserved', field, path: this.path(...more) });
  }
}
